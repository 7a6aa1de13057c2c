import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewMessage } from '@foyer/protocol/events'
import { MUTED_FOR_EVER } from '@foyer/protocol/notifications'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { lastSeqOf, ownerRoomOf, roomOf } from './channels.ts'
import { isChannelMuted, notificationLevel } from './notification-settings.ts'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleMessage, sampleReady, sampleThread } from './samples.ts'
import { isAnyUnread, isSpaceUnread, showsUnread, spaceMentionCount } from './selectors.ts'
import { initialState, type State } from './state.ts'

const ready = sampleReady()

function loaded(...threads: OwnThread[]): State {
  return reduceLocal(reduceEvent(initialState, 'READY', ready, 0), 'threads_loaded', threads, 0)
}

function receive(state: State, seq: number, change: Partial<NewMessage> = {}): State {
  const message = { ...sampleMessage(seq, { room_id: 'thread', parent_room_id: 'room' }), ...change }
  return reduceEvent(state, 'MESSAGE_CREATE', message, 0)
}

test('a loaded thread is a channel of its space, but not a room', () => {
  const state = loaded(sampleThread('thread', { title: 'Tents', last_seq: 3 }))
  assert.equal('thread' in state.rooms, false)
  assert.deepEqual([roomOf(state, 'thread')?.name, ownerRoomOf(state, 'thread')], ['Tents', 'room'])
  assert.equal(lastSeqOf(state, 'thread'), 3)
})

test('unread messages of a thread make the space unread', () => {
  const own = { follow: 'all' as const, read_seq: 2, unread_count: 3, mention_count: 1 }
  const state = loaded(sampleThread('thread', { last_seq: 5, own }))
  assert.equal(state.readStates.thread?.unread_count, 3)
  assert.deepEqual([isSpaceUnread(state, 'space'), spaceMentionCount(state, 'space')], [true, 1])
  const more = receive(state, 6)
  assert.equal(more.readStates.thread?.unread_count, 4)
  assert.equal(lastSeqOf(more, 'thread'), 6)
  const read = { thread_id: 'thread', follow: 'all' as const, read_seq: 6, unread_count: 0, mention_count: 0 }
  assert.equal(isAnyUnread(reduceEvent(more, 'THREAD_FOLLOW_UPDATE', read, 0)), false)
})

test('TROOM-17: the user’s own message marks a thread as read, unless it was moved there', () => {
  const own = { follow: 'all' as const, read_seq: 2, unread_count: 3, mention_count: 1 }
  const state = loaded(sampleThread('thread', { last_seq: 5, own }))
  const counts = ({ readStates: { thread } }: State) => [thread?.unread_count, thread?.mention_count]
  const mine = { author: ready.user, is_moved: true }
  assert.deepEqual(counts(receive(state, 6, mine)), [3, 1])
  assert.deepEqual(counts(receive(state, 6, { is_moved: true })), [4, 1])
  assert.deepEqual(counts(receive(state, 6, { author: ready.user })), [0, 0])
})

test('a thread that is opened without being followed counts as read, and stays quiet', () => {
  const own = { follow: null, read_seq: 0, unread_count: 0, mention_count: 0 }
  const state = loaded(sampleThread('thread', { last_seq: 5, own }))
  assert.equal(state.readStates.thread?.unread_count, 0)
  assert.equal(isAnyUnread(receive(state, 6)), false)
})

test('messages of a thread that is not in use change nothing', () => {
  const state = loaded()
  assert.equal(receive(state, 1), state)
  const read = { thread_id: 'thread', follow: 'all' as const, read_seq: 1, unread_count: 0, mention_count: 0 }
  assert.equal(reduceEvent(state, 'THREAD_FOLLOW_UPDATE', read, 0), state)
})

test('the level of a thread is the one at which the user follows it, unless its room is muted', () => {
  const levels = (['all', 'mentions', 'muted', null] as const).map((follow) => {
    const state = loaded(
      sampleThread('thread', { own: { follow, read_seq: 0, unread_count: 0, mention_count: 0 } }),
    )
    return isChannelMuted(state, 'thread') ? 'muted' : notificationLevel(state, 'thread')
  })
  assert.deepEqual(levels, ['all', 'mentions', 'muted', 'muted'])
  const setting = { scope: 'room' as const, id: 'room', level: null, muted_until: MUTED_FOR_EVER }
  const muted = reduceEvent(loaded(sampleThread('thread')), 'NOTIFICATION_SETTING_UPDATE', setting, 0)
  assert.equal(isChannelMuted(muted, 'thread'), true)
  assert.equal(showsUnread(receive(muted, 1), 'thread'), false)
})

test('messages that arrive during a request for their thread are counted once', () => {
  const state = receive(loaded(sampleThread('thread')), 1)
  const next = reduceLocal(state, 'threads_loaded', [sampleThread('thread')], 0)
  assert.deepEqual([lastSeqOf(next, 'thread'), next.readStates.thread?.unread_count], [1, 1])
})

test('a changed thread keeps its newest message, which the event may not know yet', () => {
  const { own: _, ...thread } = sampleThread('thread', { title: 'New title', last_seq: 1 })
  const state = reduceEvent(receive(loaded(sampleThread('thread')), 4), 'THREAD_UPDATE', thread, 0)
  assert.deepEqual([roomOf(state, 'thread')?.name, lastSeqOf(state, 'thread')], ['New title', 4])
})

test('TROOM-7: a message wakes its thread', () => {
  const created_at = '2026-03-01T10:00:00.000Z'
  const { thread: entry } = receive(loaded(sampleThread('thread', { is_asleep: true })), 1, {
    created_at,
  }).threads
  assert.deepEqual([entry?.thread.is_asleep, entry?.thread.active_at], [false, created_at])
})

test('a thread goes with its message, its room and its space', () => {
  const state = receive(loaded(sampleThread('thread')), 1)
  const place = { id: 'thread', room_id: 'room', space_id: 'space' }
  for (const next of [
    reduceEvent(state, 'THREAD_DELETE', place, 0),
    reduceEvent(state, 'ROOM_DELETE', { room_id: 'room', space_id: 'space' }, 0),
    reduceEvent(state, 'SPACE_DELETE', { space_id: 'space' }, 0),
    reduceEvent(state, 'READY', sampleReady({ spaces: [] }), 0),
  ]) {
    assert.deepEqual(next.threads, {})
    assert.equal('thread' in next.readStates, false)
    assert.equal('thread' in next.timelines, false)
  }
})

test('READY keeps the threads in use and their read states, which it does not contain', () => {
  const state = receive(loaded(sampleThread('thread')), 1)
  const next = reduceEvent(state, 'READY', ready, 0)
  assert.equal(next.threads.thread, state.threads.thread)
  assert.equal(next.readStates.thread?.unread_count, 1)
})

test('loading a thread again marks the gap of the messages that were missed', () => {
  const page = { channel_id: 'thread', at: 'latest', messages: [], asked_seq: 0, complete: true } as const
  const state = receive(reduceLocal(loaded(sampleThread('thread')), 'history_loaded', page, 0), 1)
  const next = reduceLocal(state, 'threads_loaded', [sampleThread('thread', { last_seq: 4 })], 0)
  assert.equal(next.timelines.thread?.missedAfter, 1)
})

test('TROOM-17: moved messages are in the new place, and in the old one again once they are moved back', () => {
  const both = loaded(sampleThread('a'), sampleThread('b'))
  const opened = ['a', 'b'].reduce((state, channel_id) => page(state, channel_id, []), both)
  const moved = move(receive(opened, 1, { id: 'x', room_id: 'a' }), 'a', 'b')
  assert.deepEqual([held(moved, 'a'), held(moved, 'b')], [[], ['x']])
  assert.deepEqual(held(page(moved, 'b', ['x']), 'b'), ['x'])
  assert.deepEqual(held(page(moved, 'a', ['x']), 'a'), [], 'a page requested before the move')
  const back = move(moved, 'b', 'a')
  assert.deepEqual([held(back, 'a'), held(back, 'b')], [['x'], []])
  assert.deepEqual(held(page(back, 'a', ['x']), 'a'), ['x'])
  assert.deepEqual(
    [moved, back].map(({ readStates }) => [readStates.a?.unread_count, readStates.b?.unread_count]),
    [
      [0, 1],
      [1, 0],
    ],
  )
})

test('TROOM-17: messages moved back into a thread that is no longer in use are there when it is opened', () => {
  const both = loaded(sampleThread('a'), sampleThread('b'))
  const moved = move(receive(both, 1, { id: 'x', room_id: 'a' }), 'a', 'b')
  const left = reduceEvent(moved, 'THREAD_DELETE', { id: 'a', room_id: 'room', space_id: 'space' }, 0)
  const again = reduceLocal(move(left, 'b', 'a'), 'threads_loaded', [sampleThread('a', { last_seq: 2 })], 0)
  assert.deepEqual(held(page(again, 'a', ['x']), 'a'), ['x'])
})

function move(state: State, from: string, to: string): State {
  const place = { room_id: from, parent_room_id: 'room', conversation_id: null, space_id: 'space' }
  const deleted = { id: 'x', seq: lastSeqOf(state, from), author_id: 'other' }
  const messages = [{ ...deleted, mentions: [], mention_roles: [], mention_everyone: false, thread_id: null }]
  const gone = reduceEvent(state, 'MESSAGE_DELETE_BULK', { ...place, ids: ['x'], messages }, 0)
  return receive(gone, lastSeqOf(gone, to) + 1, { id: 'x', room_id: to, is_moved: true })
}

function page(state: State, channel_id: string, ids: readonly string[]): State {
  const asked_seq = lastSeqOf(state, channel_id)
  const messages = ids.map((id) => sampleMessage(asked_seq, { id, room_id: channel_id }))
  return reduceLocal(
    state,
    'history_loaded',
    { channel_id, at: 'latest', messages, asked_seq, complete: true },
    0,
  )
}

function held(state: State, channelId: string): string[] | undefined {
  return state.timelines[channelId]?.messages.map(({ id }) => id)
}
