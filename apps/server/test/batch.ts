import { after } from 'node:test'

const closers: (() => Promise<void>)[] = []
let begun = false

/** Says that this process runs several files, before the first. Closes what they used in turn after the last. */
export function beginBatch(): void {
  begun = true
  after(async () => {
    for (const close of closers.toReversed()) await close()
  })
}

export function isBatch(): boolean {
  return begun
}

export function atEndOfBatch(close: () => Promise<void>): void {
  closers.push(close)
}
