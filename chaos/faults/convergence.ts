import { setTimeout as sleep } from 'node:timers/promises'
import type { Ear } from '../listening/ear.ts'
import type { Entry, Ledger } from '../world/ledger.ts'

const POLL_MS = 50

/** The newest acknowledged message of each channel. */
export type Marks = ReadonlyMap<string, number>

export function marksOf({ entries }: Pick<Ledger, 'entries'>): Marks {
  const marks = new Map<string, number>()
  for (const entry of entries) if (isAcked(entry)) raise(marks, entry)
  return marks
}

/** Who is not connected, or has not heard up to the marks of the channels that they know of. */
export function laggards(ears: readonly Ear[], marks: Marks): Ear[] {
  return ears.filter(
    (ear) => !ear.isReady || [...ear.channels].some(([id, { last }]) => last < (marks.get(id) ?? 0)),
  )
}

/** @returns how long it took until all had heard all; undefined when the time was not enough */
export async function converge(
  ears: readonly Ear[],
  marks: Marks,
  withinMs: number,
): Promise<number | undefined> {
  const from = performance.now()
  while (laggards(ears, marks).length > 0) {
    if (performance.now() - from > withinMs) return undefined
    await sleep(POLL_MS)
  }
  return performance.now() - from
}

function isAcked({ outcome }: Entry): boolean {
  return outcome === 'acknowledged'
}

function raise(marks: Map<string, number>, { channelId, seq = 0 }: Entry): void {
  marks.set(channelId, Math.max(seq, marks.get(channelId) ?? 0))
}
