import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from '../connections/connection.ts'
import { type Audience, noAudience } from '../listeners/space-listeners.ts'

/** Consecutive events with the same audience. Their frames are joined, for one write per connection. */
export interface Run {
  audience: Audience
  events: Event[]
  isTransient: boolean
  /** Only for connections that asked for threads. */
  isOfThreads: boolean
}

/** Returns the connections that asked for threads. */
export function withThreads(audience: Audience): ReadonlySet<Connection>[] {
  return [...audience].map((set) => new Set([...set].filter(({ hasThreads }) => hasThreads)))
}

export function openRun(): Run {
  return { audience: noAudience, events: [], isTransient: false, isOfThreads: false }
}
