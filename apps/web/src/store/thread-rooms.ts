import type { Events } from '@foyer/protocol/events'
import type { OwnThread, Thread, ThreadFollow } from '@foyer/protocol/thread-rooms'
import { lastSeqOf, newerRoom, withoutChannel } from './channels.ts'
import { withAcknowledged } from './messages/read-states.ts'
import { withGap } from './messages/timeline.ts'
import { type State, type ThreadEntry, without } from './state.ts'

export const threadReducers = {
  THREAD_UPDATE: (state: State, thread: Events['THREAD_UPDATE']): State => {
    const known = state.threads[thread.id]
    return known === undefined ? state : withThread(state, thread, known.follow)
  },
  THREAD_DELETE: (state: State, { id }: Events['THREAD_DELETE']): State => withoutThread(state, id),
  THREAD_FOLLOW_UPDATE: (state: State, { thread_id, ...own }: Events['THREAD_FOLLOW_UPDATE']): State => {
    const known = state.threads[thread_id]
    if (known === undefined) return state
    return withOwn(
      { ...state, threads: { ...state.threads, [thread_id]: { ...known, follow: own.follow } } },
      thread_id,
      own,
    )
  },
}

/** Adds threads of a response. */
export function withThreads(state: State, threads: readonly OwnThread[]): State {
  return threads.reduce((before, { own, ...thread }) => {
    const known = before.threads[thread.id]
    const added = withThread(before, thread, own.follow)
    // A message arrived during the request. It is counted in the state, but not in the response.
    if (thread.id in added.readStates && lastSeqOf(added, thread.id) > thread.last_seq) return added
    const held = added.timelines[thread.id]
    const isAhead = held !== undefined && known !== undefined && known.last_seq < thread.last_seq
    const timelines = isAhead
      ? { ...added.timelines, [thread.id]: withGap(held, known.last_seq) }
      : added.timelines
    return withOwn({ ...added, timelines }, thread.id, own)
  }, state)
}

/** Removes the threads for which `isGone` is true: the thread, its room or its space is gone. */
export function withoutThreads(state: State, isGone: (thread: ThreadEntry) => boolean): State {
  return Object.values(state.threads)
    .filter(isGone)
    .reduce((before, { id }) => withoutThread(before, id), state)
}

function withoutThread(state: State, id: string): State {
  if (!(id in state.threads)) return state
  const left = withoutChannel(state, id)
  return { ...left, threads: without(left.threads, id), readStates: without(left.readStates, id) }
}

/** Adds or updates a thread. Its data may be older than a message received, so `last_seq` never goes back. */
function withThread(state: State, thread: Thread, follow: ThreadFollow['follow']): State {
  const entry = {
    id: thread.id,
    space_id: thread.space_id,
    name: thread.title,
    type: thread.type,
    parent_id: thread.room_id,
    description: null,
    position: 0,
    // Both are settings of the thread's room.
    slow_mode_seconds: 0,
    retention_days: null,
    last_message_id: thread.last_message_id,
    last_seq: thread.last_seq,
    created_at: thread.created_at,
    updated_at: thread.updated_at,
    thread,
    follow,
  }
  const threads = { ...state.threads, [thread.id]: newerRoom(state.threads[thread.id], entry) }
  return { ...state, threads }
}

/** Takes over the read state. A thread that the user opens for the first time without following it counts as read. */
function withOwn(state: State, id: string, { follow, read_seq, ...counts }: ThreadFollow): State {
  const isNew = follow === null && read_seq === 0
  const read = isNew
    ? { last_read_seq: lastSeqOf(state, id), unread_count: 0, mention_count: 0 }
    : { last_read_seq: read_seq, ...counts }
  return withAcknowledged(state, { room_id: id, conversation_id: null, ...read })
}
