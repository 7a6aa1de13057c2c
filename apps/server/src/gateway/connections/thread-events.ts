import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from './connection.ts'

type Known = Pick<Event, 'topic' | 'name' | 'data'>
/** A client by what it asked for. Forums themselves are hidden from the others by the rooms that they may view. */
export type Asking = Pick<Connection, 'hasThreads' | 'hasForums'>

/** Clients to which an event goes: all, those that asked for threads, or those that also asked for forums. */
export type Askers = 'all' | 'threads' | 'forums'

export function askersOf({ topic, name, data }: Known): Askers {
  if (name === 'THREAD_FOLLOW_UPDATE') return data.includes('"in_forum":true') ? 'forums' : 'threads'
  return topic.kind === 'thread' ? 'threads' : 'all'
}

/** Returns whether the client is one of these. */
export function isAmong({ hasThreads, hasForums }: Asking, askers: Askers): boolean {
  return askers === 'all' || (hasThreads && (askers === 'threads' || hasForums))
}
