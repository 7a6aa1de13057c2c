import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { reduceEvent, reduceLocal } from '../reducers.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from '../samples.ts'
import { initialState, type State } from '../state.ts'
import { withEarlierReplies } from './threads.ts'

const place = { room_id: 'room', conversation_id: null, space_id: 'space' }

function reply(seq: number, author = 'other'): Message {
  return sampleMessage(seq, { thread_id: 'message-1', author: sampleUser(author) })
}

/** A room with one message and the given replies. */
function opened(replies: Message['replies'] = null): State {
  const rooms = [sampleRoom('room', { last_seq: 1 })]
  const ready = reduceEvent(
    initialState,
    'READY',
    sampleReady({ spaces: [sampleSpace('space', { rooms })] }),
    0,
  )
  return paged(ready, sampleMessage(1, { replies }))
}

function paged(state: State, message: Message): State {
  const page = {
    channel_id: 'room',
    at: 'latest' as const,
    messages: [message],
    asked_seq: 1,
    complete: true,
  }
  return reduceLocal(state, 'history_loaded', page, 0)
}

const receive = (state: State, message: Message) => reduceEvent(state, 'MESSAGE_CREATE', message, 0)

function summaryOf(state: State) {
  const first = state.timelines.room?.messages.find(({ id }) => id === 'message-1')
  const { replies } = first ?? sampleMessage(1)
  return replies && [replies.count, replies.last_seq, replies.users.map(({ id }) => id)]
}

test('the first message of a thread counts each reply once, and lists the latest authors', () => {
  const first = receive(opened(), reply(2))
  assert.deepEqual(summaryOf(first), [1, 2, ['other']])
  const second = receive(receive(first, reply(3, 'third')), reply(4))
  assert.deepEqual(summaryOf(second), [3, 4, ['other', 'third']])
  assert.deepEqual(summaryOf(reduceLocal(receive(second, reply(4)), 'message_sent', reply(4), 0)), [
    3,
    4,
    ['other', 'third'],
  ])
  const page = { count: 9, last_seq: 12, last_at: '2026-01-01T00:00:00.000Z', users: [] }
  assert.deepEqual(summaryOf(receive(opened(page), reply(12))), [9, 12, []])
})

test('deleted replies are subtracted', () => {
  const answered = receive(receive(opened(), reply(2)), reply(3))
  const gone = (seq: number) => ({
    id: `message-${seq}`,
    seq,
    author_id: 'other',
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    thread_id: 'message-1',
  })
  const one = reduceEvent(answered, 'MESSAGE_DELETE', { ...place, ...gone(2) }, 0)
  assert.deepEqual(summaryOf(one), [1, 3, ['other']])
  const bulk = { ...place, ids: ['message-2', 'message-3'], messages: [gone(2), gone(3)] }
  assert.equal(summaryOf(reduceEvent(answered, 'MESSAGE_DELETE_BULK', bulk, 0)), null)
})

test('an edit or a page with an older reply count does not lower it', () => {
  const answered = receive(opened(), reply(2))
  const edited = reduceEvent(answered, 'MESSAGE_UPDATE', sampleMessage(1, { content: 'edited' }), 0)
  assert.deepEqual(summaryOf(edited), [1, 2, ['other']])
  assert.deepEqual(summaryOf(paged(answered, sampleMessage(1))), [1, 2, ['other']])
})

test('earlier replies are inserted after the first message without a gap', () => {
  const [first, ...replies] = [sampleMessage(1), reply(2), reply(3), reply(4), reply(5)]
  const thread = (...messages: Message[]) => ({
    messages,
    hasOlder: true,
    hasNewer: false,
    missedAfter: null,
  })
  const earlier = {
    threadId: 'message-1',
    before: 'message-4',
    replies: replies.slice(0, 2),
    complete: true,
  }
  const shown = (timeline: ReturnType<typeof thread>) => {
    const { messages, hasOlder } = withEarlierReplies(timeline, earlier)
    return [messages.map(({ seq }) => seq), hasOlder]
  }
  const last = replies.slice(2)
  assert.deepEqual(shown(thread(first ?? sampleMessage(1), ...last)), [[1, 2, 3, 4, 5], false])
  assert.deepEqual(shown(thread(...last)), [[2, 3, 4, 5], false], 'the first message is deleted')
  assert.deepEqual(shown(thread(sampleMessage(1), reply(5))), [[1, 5], true], 'it was loaded anew meanwhile')
})
