import { after } from 'node:test'

/** Maximum time for closing the shared resources and ending the process, in milliseconds. */
const MAX_CLOSE_MS = 60_000
/** Time for which a native library alone may keep the process alive before the process exits. */
const LINGER_MS = 5000
/** Pipes that are always open: standard output and standard error. */
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

/** Exits if only the WebRTC library of the test peers keeps the event loop alive, as it sometimes does after all are closed. */
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
