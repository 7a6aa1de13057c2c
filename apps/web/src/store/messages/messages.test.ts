import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ready } from '@foyer/protocol/events'
import type { DeletedMessage } from '@foyer/protocol/messages'
import { reduceEvent, reduceLocal } from '../reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from '../samples.ts'
import { timelineOf } from '../selectors.ts'
import { initialState, MAX_HELD_MESSAGES, MAX_TIMELINES, type OutgoingMessage, type State } from '../state.ts'

const outgoing: OutgoingMessage = {
  nonce: 'n1',
  channel: 'room',
  options: {},
  upload_ids: [],
  stickers: [],
  content: 'hello',
  created_at: '2026-01-01T00:00:00.000Z',
  status: 'sending',
  error: null,
}

test('a message is added to its timeline in order of seq', () => {
  const state = receive(opened([1, 2, 4]), 3)
  assert.deepEqual(seqs(state), [1, 2, 3, 4])
})

test('the timeline of an empty room needs no loading', () => {
  const rooms = [sampleRoom('room'), sampleRoom('other', { last_seq: 1 })]
  const state = reduceEvent(initialState, 'SPACE_CREATE', sampleSpace('space', { rooms }), 0)
  const [silent, other] = rooms.map((room) => timelineOf(state, room.id))
  assert.deepEqual([silent?.messages, silent?.hasOlder], [[], false])
  assert.equal(other, undefined)
})

test('a message delivered twice is added once', () => {
  const once = receive(opened([1]), 2)
  const twice = receive(once, 2)
  assert.deepEqual(seqs(twice), [1, 2])
  assert.equal(twice.timelines, once.timelines)
})

test('a message replaces the queued message with its nonce', () => {
  const queued = reduceLocal(opened([1]), 'message_queued', outgoing, 0)
  const other = reduceEvent(queued, 'MESSAGE_CREATE', sampleMessage(2, { nonce: 'n1' }), 0)
  assert.equal(other.outbox.room?.length, 1, 'the nonce of somebody else is not ours')
  const own = sampleMessage(3, { nonce: 'n1', author: sampleUser('me') })
  const sent = reduceEvent(other, 'MESSAGE_CREATE', own, 0)
  assert.deepEqual(sent.outbox.room, [])
  assert.deepEqual(seqs(sent), [1, 2, 3])
})

test('the response to sending and its event add one message, in either order', () => {
  const own = sampleMessage(2, { nonce: 'n1', author: sampleUser('me') })
  const queued = reduceLocal(opened([1]), 'message_queued', outgoing, 0)
  const answerFirst = reduceEvent(reduceLocal(queued, 'message_sent', own, 0), 'MESSAGE_CREATE', own, 0)
  const eventFirst = reduceLocal(reduceEvent(queued, 'MESSAGE_CREATE', own, 0), 'message_sent', own, 0)
  for (const state of [answerFirst, eventFirst]) {
    assert.deepEqual(seqs(state), [1, 2])
    assert.deepEqual(state.outbox.room, [])
  }
})

test('a response ahead of the gateway marks no gap, but an event that skips a seq does', () => {
  const own = sampleMessage(3, { author: sampleUser('me') })
  assert.equal(reduceLocal(opened([1]), 'message_sent', own, 0).timelines.room?.missedAfter, null)
  assert.equal(reduceEvent(opened([1]), 'MESSAGE_CREATE', own, 0).timelines.room?.missedAfter, 1)
})

test('a room that was never opened counts its messages without keeping them', () => {
  const state = receive(ready(), 1)
  assert.equal(state.timelines.room, undefined)
  assert.equal(state.rooms.room?.last_seq, 1)
})

test('own messages are read, messages of others are unread', () => {
  const unread = receive(opened([1]), 2)
  assert.equal(unread.readStates.room?.unread_count, 1)
  const own = sampleMessage(3, { author: sampleUser('me') })
  assert.equal(reduceEvent(unread, 'MESSAGE_CREATE', own, 0).readStates.room?.unread_count, 0)
})

test('an edit replaces the message and a deletion removes it', () => {
  const edited = reduceEvent(opened([1, 2]), 'MESSAGE_UPDATE', sampleMessage(1, { content: 'new' }), 0)
  assert.equal(edited.timelines.room?.messages[0]?.content, 'new')
  assert.deepEqual(seqs(reduceEvent(edited, 'MESSAGE_DELETE', gone(1), 0)), [2])
})

test('a bulk deletion removes all its messages for good', () => {
  const messages = [3, 2, 9].map(gone)
  const ids = messages.map(({ id }) => id)
  const deleted = reduceEvent(opened([1, 2, 3, 4]), 'MESSAGE_DELETE_BULK', { ...place, ids, messages }, 0)
  assert.deepEqual(seqs(deleted), [1, 4])
  assert.deepEqual(seqs(latest(deleted, [1, 2, 3, 4], { asked: 4 })), [1, 4])
})

test('a page requested before a deletion does not restore the message', () => {
  const deleted = reduceEvent(opened([1, 2]), 'MESSAGE_DELETE', gone(2), 0)
  assert.deepEqual(seqs(latest(deleted, [1, 2], { asked: 2 })), [1])
  assert.deepEqual(seqs(latest(opened([1]), [1, 2], { asked: 2 })), [1, 2], 'which is not deleted is taken')
})

test('a page requested before an edit does not undo it', () => {
  const edit = sampleMessage(1, { content: 'new', edited_at: '2026-01-02T00:00:00.000Z' })
  const edited = reduceEvent(opened([1]), 'MESSAGE_UPDATE', edit, 0)
  assert.equal(latest(edited, [1], { asked: 1 }).timelines.room?.messages[0]?.content, 'new')
})

test('the newest page joins the timeline if they overlap, and replaces it otherwise', () => {
  assert.deepEqual(seqs(latest(opened([1, 2, 3]), [3, 4, 5], { asked: 5 })), [1, 2, 3, 4, 5])
  const replaced = latest(opened([1, 2, 3]), [5, 6], { asked: 6 })
  assert.deepEqual(seqs(replaced), [5, 6])
  assert.equal(replaced.timelines.room?.hasOlder, true)
})

test('live messages after a gap do not hide it', () => {
  const lost = reduceEvent(opened([1, 2, 3]), 'READY', readyWith(9), 0)
  const live = receive(lost, 10)
  assert.deepEqual(seqs(live), [1, 2, 3, 10])
  const replaced = latest(live, [8, 9, 10], { asked: 10 })
  assert.deepEqual(seqs(replaced), [8, 9, 10])
  const page = { channel_id: 'room', at: 'after' as const, asked_seq: 10, complete: false }
  const some = reduceLocal(
    live,
    'history_loaded',
    { ...page, messages: [4, 5, 6, 7, 8].map((n) => sampleMessage(n)) },
    0,
  )
  assert.equal(some.timelines.room?.missedAfter, 8)
  const joined = latest(some, [8, 9, 10], { asked: 10 })
  assert.deepEqual(seqs(joined), range(1, 11))
  assert.equal(joined.timelines.room?.missedAfter, null)
})

test('the newest page removes messages deleted while offline, and keeps live ones', () => {
  const live = receive(opened([1, 2, 3]), 4)
  assert.deepEqual(seqs(latest(live, [1, 2], { asked: 3, complete: true })), [1, 2, 4])
})

test('messages sent while the first page is loading are requested once', () => {
  const outrun = latest(receive(ready(2), 3), [1, 2], { asked: 2, complete: true })
  assert.equal(outrun.timelines.room?.missedAfter, 2)
  const asked = latest(outrun, [1, 2, 3], { asked: 3, complete: true })
  assert.deepEqual([seqs(asked), asked.timelines.room?.missedAfter], [[1, 2, 3], null])
  const deleted = latest(outrun, [1, 2], { asked: 3, complete: true })
  assert.equal(deleted.timelines.room?.missedAfter, null)
})

test('older pages are prepended, and the newest messages are dropped beyond the limit', () => {
  const start = opened(range(1000, 1000 + MAX_HELD_MESSAGES))
  const page = {
    channel_id: 'room',
    at: 'before' as const,
    messages: range(900, 1000).map((n) => sampleMessage(n)),
  }
  const state = reduceLocal(start, 'history_loaded', { ...page, asked_seq: 0, complete: false }, 0)
  assert.equal(seqs(state)[0], 900)
  assert.equal(seqs(state).length, MAX_HELD_MESSAGES)
  assert.equal(state.timelines.room?.hasNewer, true)
  assert.deepEqual(
    seqs(receive(state, 2000)),
    seqs(state),
    'the present does not join a run that ends before it',
  )
})

test('live messages drop the oldest ones beyond the limit', () => {
  const state = receive(opened(range(1, MAX_HELD_MESSAGES + 1)), MAX_HELD_MESSAGES + 1)
  assert.equal(seqs(state)[0], 2)
  assert.equal(state.timelines.room?.hasOlder, true)
})

test('the timelines loaded longest ago are removed for new ones', () => {
  const ids = range(0, MAX_TIMELINES + 1).map((n) => `room-${n}`)
  const page = { at: 'latest' as const, messages: [], asked_seq: 0, complete: true }
  const state = ids.reduce(
    (before, channel_id) => reduceLocal(before, 'history_loaded', { ...page, channel_id }, 0),
    initialState,
  )
  assert.deepEqual(Object.keys(state.timelines), ids.slice(1))
})

test('a deleted message does not come back when both events are repeated, and is subtracted once', () => {
  const unread = receive(receive(opened([]), 1), 2)
  const state = reduceEvent(unread, 'MESSAGE_DELETE', gone(1), 0)
  const replayed = reduceEvent(receive(state, 1), 'MESSAGE_DELETE', gone(1), 0)
  assert.deepEqual([seqs(receive(state, 1)), seqs(replayed)], [[2], [2]])
  assert.deepEqual(
    [state, replayed].map(({ readStates }) => readStates.room?.unread_count),
    [1, 1],
  )
})

test('reducers do not modify the previous state', () => {
  const before = opened([1, 2])
  const copy = structuredClone(before)
  receive(before, 3)
  reduceEvent(before, 'MESSAGE_UPDATE', sampleMessage(1, { content: 'new' }), 0)
  reduceLocal(before, 'message_queued', outgoing, 0)
  assert.deepEqual(before, copy)
})

const place = { room_id: 'room', conversation_id: null, space_id: 'space' }

function gone(seq: number): DeletedMessage & typeof place {
  const mentions = { mentions: [], mention_roles: [], mention_everyone: false }
  return { ...place, ...mentions, id: `message-${seq}`, seq, author_id: 'other', thread_id: null }
}

function ready(lastSeq = 0): State {
  return reduceEvent(initialState, 'READY', readyWith(lastSeq), 0)
}

function readyWith(lastSeq: number): Ready {
  const rooms = [sampleRoom('room', { last_seq: lastSeq })]
  return sampleReady({ spaces: [sampleSpace('space', { rooms })] })
}

function opened(held: number[]): State {
  return latest(ready(Math.max(...held)), held, { asked: Math.max(...held), complete: held[0] === 1 })
}

function latest(state: State, seqList: number[], { asked = 0, complete = false }): State {
  const messages = seqList.map((seq) => sampleMessage(seq)).reverse()
  return reduceLocal(
    state,
    'history_loaded',
    { channel_id: 'room', at: 'latest', messages, asked_seq: asked, complete },
    0,
  )
}

function receive(state: State, seq: number): State {
  return reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(seq), 0)
}

function seqs(state: State): number[] {
  return state.timelines.room?.messages.map((message) => message.seq) ?? []
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
