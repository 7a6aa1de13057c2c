import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from './connection.ts'

type Known = Pick<Event, 'topic' | 'name' | 'data'>
/** A client by what it asked for. Forums themselves are hidden from the others by the rooms that they may view. */
export type Asking = Pick<Connection, 'hasThreads' | 'hasForums'>

/** Clients to which an event goes: all, or those that asked for threads, for forums, or for both, as posts are threads of forums. */
export type Askers = 'all' | 'threads' | 'forums' | 'posts'

export function askersOf({ topic, name, data }: Known): Askers {
  if (name === 'THREAD_FOLLOW_UPDATE') return data.includes('"in_forum":true') ? 'posts' : 'threads'
  if (name === 'NOTIFICATION_SETTING_UPDATE' && data.includes('"of_forum":true')) return 'forums'
  return topic.kind === 'thread' ? 'threads' : 'all'
}

/** Returns whether the client is one of these. */
export function isAmong({ hasThreads, hasForums }: Asking, askers: Askers): boolean {
  const needsThreads = askers === 'threads' || askers === 'posts'
  const needsForums = askers === 'forums' || askers === 'posts'
  return (hasThreads || !needsThreads) && (hasForums || !needsForums)
}
