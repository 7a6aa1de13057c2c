import type { ThreadEntry } from '#src/store/state.ts'

/** Returns true if the thread sleeps at a time, in milliseconds since 1970. No event reports that its quiet time has passed. */
export function isAsleep({ thread }: Pick<ThreadEntry, 'thread'>, now: number): boolean {
  const { is_asleep, quiet_minutes, active_at } = thread
  return is_asleep || (quiet_minutes > 0 && Date.parse(active_at) + quiet_minutes * 60_000 <= now)
}
