import { after } from 'node:test'

/** Maximum time for closing the shared resources and ending the process, in milliseconds. */
const MAX_CLOSE_MS = 60_000
/** Time after which a process is ended that only a native library keeps alive. */
const LINGER_MS = 5000
/** Standard output and error. */
const STANDARD_PIPES = 2

const closers: (() => Promise<void>)[] = []
let begun = false

/**
 * Marks this process as one that runs several test files. After the last one, closes their shared resources in
 * reverse order.
 */
export function beginBatch(): void {
  begun = true
  after(async () => {
    setTimeout(giveUp, MAX_CLOSE_MS).unref()
    for (const close of closers.toReversed()) await close()
    setTimeout(leave, LINGER_MS).unref()
  })
}

/** The WebRTC library of the test peers sometimes keeps the event loop alive after all of them are closed. */
function leave(): void {
  const open = process.getActiveResourcesInfo()
  if (open.length <= STANDARD_PIPES && open.every((kind) => kind === 'PipeWrap')) process.exit()
}

function giveUp(): void {
  const resources = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)
  const open = [...resources].map(([kind, all]) => `${all.length} ${kind}`)
  process.stderr.write(`batch ${process.argv[1]} did not end: ${open.join(', ')}\n`)
  process.exit(1)
}

export function isBatch(): boolean {
  return begun
}

export function atEndOfBatch(close: () => Promise<void>): void {
  closers.push(close)
}
