import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorder } from '../listening/recorder.ts'
import type { Entry, Ledger } from '../world/ledger.ts'

const POLL_MS = 50

/** The seq of the newest acknowledged message, by channel. */
export type Marks = ReadonlyMap<string, number>

export function marksOf({ entries }: Pick<Ledger, 'entries'>): Marks {
  const marks = new Map<string, number>()
  for (const entry of entries) if (isAcked(entry)) raise(marks, entry)
  return marks
}

/** Returns the clients that are not connected, or have not received every marked message of their channels. */
export function laggards(recorders: readonly Recorder[], marks: Marks): Recorder[] {
  return recorders.filter(
    (recorder) =>
      !recorder.isReady || [...recorder.channels].some(([id, { last }]) => last < (marks.get(id) ?? 0)),
  )
}

/** @returns milliseconds until every client had received everything; undefined after a timeout */
export async function converge(
  recorders: readonly Recorder[],
  marks: Marks,
  withinMs: number,
): Promise<number | undefined> {
  const from = performance.now()
  while (laggards(recorders, marks).length > 0) {
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
