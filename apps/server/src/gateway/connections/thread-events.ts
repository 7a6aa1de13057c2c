import type { Event } from '#src/kernel/journal/bus.ts'
import type { Connection } from './connection.ts'

type Known = Pick<Event, 'topic' | 'name' | 'data'>
/**
 * The features that a client asked for. Without forums, a client cannot view forum rooms, so their events need no
 * check here.
 */
export type Asking = Pick<Connection, 'hasThreads' | 'hasForums'>

/**
 * Clients that receive an event: all, or only clients that asked for threads, for forums, or for both. Posts need
 * both: they are threads of forums.
 */
export type Askers = 'all' | 'threads' | 'forums' | 'posts'

export function askersOf({ topic, name, data }: Known): Askers {
  if (name === 'THREAD_FOLLOW_UPDATE') return data.includes('"in_forum":true') ? 'posts' : 'threads'
  if (name === 'NOTIFICATION_SETTING_UPDATE' && data.includes('"of_forum":true')) return 'forums'
  return topic.kind === 'thread' ? 'threads' : 'all'
}

/** Returns true if the client asked for the features that the event needs. */
export function isAmong({ hasThreads, hasForums }: Asking, askers: Askers): boolean {
  const needsThreads = askers === 'threads' || askers === 'posts'
  const needsForums = askers === 'forums' || askers === 'posts'
  return (hasThreads || !needsThreads) && (hasForums || !needsForums)
}
