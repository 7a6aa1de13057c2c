import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from '../connections/connection.ts'
import { type Askers, isAmong } from '../connections/thread-events.ts'
import { type Audience, noAudience } from '../listeners/space-listeners.ts'

/** Consecutive events with the same audience. Their frames are joined, for one write per connection. */
export interface Run {
  audience: Audience
  events: Event[]
  isTransient: boolean
  askers: Askers
}

/** Returns the connections of the audience whose clients asked for such events. */
export function among({ audience, askers }: Run): Iterable<ReadonlySet<Connection>> {
  if (askers === 'all') return audience
  return [...audience].map((set) => new Set([...set].filter((connection) => isAmong(connection, askers))))
}

export function openRun(): Run {
  return { audience: noAudience, events: [], isTransient: false, askers: 'all' }
}
