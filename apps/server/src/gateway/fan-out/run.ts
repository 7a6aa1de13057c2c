import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from '../connections/connection.ts'
import { type Askers, isAmong } from '../connections/thread-events.ts'
import { nobody, type Recipients } from '../listeners/space-listeners.ts'

/** Consecutive events with the same recipients. Their frames are joined, for one write per connection. */
export interface Run {
  recipients: Recipients
  events: Event[]
  isTransient: boolean
  askers: Askers
}

/** Returns the recipients of the run whose clients asked for its kind of events. */
export function among({ recipients, askers }: Run): Iterable<ReadonlySet<Connection>> {
  if (askers === 'all') return recipients
  return [...recipients].map((set) => new Set([...set].filter((connection) => isAmong(connection, askers))))
}

export function openRun(): Run {
  return { recipients: nobody, events: [], isTransient: false, askers: 'all' }
}
