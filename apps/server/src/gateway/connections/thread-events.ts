import type { Event } from '#src/kernel/journal/bus.ts'

/** Returns whether the event is only for connections that asked for threads. */
export function concernsThreads({ topic, name }: Pick<Event, 'topic' | 'name'>): boolean {
  return topic.kind === 'thread' || name === 'THREAD_FOLLOW_UPDATE'
}
