import { after } from 'node:test'

const closers: (() => Promise<void>)[] = []
let begun = false

/**
 * Marks this process as one that runs several test files. After the last one, closes their shared resources in
 * reverse order.
 */
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
