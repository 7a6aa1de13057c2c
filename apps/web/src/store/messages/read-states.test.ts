import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeletedMessage, Message, ReadState } from '@foyer/protocol/messages'
import { reduceEvent, reduceLocal } from '../reducers.ts'
import { sampleMessage, sampleReady, sampleRole, sampleRoom, sampleSpace, sampleUser } from '../samples.ts'
import { isAnyUnread, isSpaceUnread, notifyingCount, spaceMentionCount } from '../selectors.ts'
import { initialState, type State } from '../state.ts'

const place = { room_id: 'room', conversation_id: null, space_id: 'space' }
const me = sampleUser('me')

test('messages of others count once, even with duplicate events', () => {
  const state = [sampleMessage(1), sampleMessage(2), sampleMessage(2), sampleMessage(1)].reduce(
    receive,
    ready(),
  )
  assert.deepEqual(counts(state), [2, 0])
})

const mentions: readonly [string, Partial<Message>, number][] = [
  ['by name', { mentions: [me] }, 1],
  ['by one of their roles', { mention_roles: ['mods'] }, 1],
  ['by @everyone', { mention_everyone: true }, 1],
  ['in several ways at once', { mentions: [me], mention_roles: ['mods'], mention_everyone: true }, 1],
  ['not by another user’s name', { mentions: [sampleUser('other')] }, 0],
  ['not by a role of others', { mention_roles: ['cooks'] }, 0],
  ['not by themselves', { author: me, mentions: [me] }, 0],
]

for (const [how, change, expected] of mentions) {
  test(`the user is mentioned ${how}`, () => {
    const state = receive(receive(ready(), sampleMessage(1)), sampleMessage(2, change))
    assert.equal(counts(state)[1], expected)
    assert.equal(spaceMentionCount(state, 'space'), expected)
  })
}

test('an own message marks everything before it as read', () => {
  const before = receive(ready(), sampleMessage(1, { mentions: [me] }))
  const after = receive(before, sampleMessage(2, { author: me }))
  assert.deepEqual(
    [counts(before), counts(after)],
    [
      [1, 1],
      [0, 0],
    ],
  )
  assert.deepEqual(counts(receive(after, sampleMessage(3))), [1, 0])
})

test('a deleted unread message is subtracted once, with its mention; read and own messages are not', () => {
  const said = [sampleMessage(1), sampleMessage(2), sampleMessage(3, { mentions: [me] }), sampleMessage(4)]
  const unread = acked(said.reduce(receive, ready()), { last_read_seq: 1, unread_count: 3, mention_count: 1 })
  const without = (state: State, ...messages: DeletedMessage[]) =>
    reduceEvent(state, 'MESSAGE_DELETE_BULK', { ...place, ids: messages.map(({ id }) => id), messages }, 0)
  const mention = gone(3, { mentions: ['me'] })
  assert.deepEqual(counts(without(unread, mention)), [2, 0])
  assert.deepEqual(counts(without(without(unread, mention), mention)), [2, 0])
  assert.deepEqual(counts(without(unread, gone(1))), [3, 1])
  assert.deepEqual(counts(without(unread, gone(4, { author_id: 'me' }))), [3, 1])
  assert.deepEqual(counts(without(unread, gone(2), mention, gone(4))), [0, 0])
})

test('messages of blocked users do not count, nor do their edits and deletions', () => {
  const rude = sampleUser('rude')
  const blocking = reduceEvent(ready(), 'BLOCK_CREATE', { user: rude, since: rude.created_at }, 0)
  const opened = reduceLocal(receive(blocking, sampleMessage(1)), 'history_loaded', page([]), 0)
  const said = receive(opened, sampleMessage(2, { author: rude, mentions: [me] }))
  const edited = reduceEvent(said, 'MESSAGE_UPDATE', sampleMessage(2, { author: rude }), 0)
  const deleted = [gone(2, { author_id: 'rude', mentions: ['me'] })]
  const emptied = reduceEvent(
    edited,
    'MESSAGE_DELETE_BULK',
    { ...place, ids: deleted.map(({ id }) => id), messages: deleted },
    0,
  )
  for (const state of [said, edited, emptied]) assert.deepEqual(counts(state), [1, 0])
  const forgiven = reduceEvent(said, 'BLOCK_DELETE', { user_id: 'rude' }, 0)
  assert.deepEqual(counts(receive(forgiven, sampleMessage(3, { author: rude, mentions: [me] }))), [2, 1])
})

test('an edit of an unread message adds or removes a mention', () => {
  const opened = reduceLocal(ready(), 'history_loaded', page([]), 0)
  const unread = receive(opened, sampleMessage(1))
  const named = reduceEvent(unread, 'MESSAGE_UPDATE', sampleMessage(1, { mentions: [me] }), 0)
  const unnamed = reduceEvent(named, 'MESSAGE_UPDATE', sampleMessage(1), 0)
  assert.deepEqual([named, unnamed].map(counts), [
    [1, 1],
    [1, 0],
  ])
})

test('another device marks messages as read, or as unread until the user reads them here', () => {
  const unread = [sampleMessage(1), sampleMessage(2)].reduce(receive, ready())
  const read = acked(unread, { last_read_seq: 2, unread_count: 0, mention_count: 0 })
  assert.deepEqual([counts(read), isAnyUnread(read)], [[0, 0], false])
  const back = acked(read, { last_read_seq: 1, unread_count: 1, mention_count: 0 })
  assert.deepEqual([counts(back), back.readStates.room?.kept_unread], [[1, 0], true])
  const entered = reduceLocal(back, 'channel_entered', { channel_id: 'room' }, 0)
  assert.equal(entered.readStates.room?.kept_unread, false)
})

test('an acknowledgement of an earlier message is stale while a later one is pending', () => {
  const unread = [sampleMessage(1), sampleMessage(2)].reduce(receive, ready())
  const read = reduceLocal(unread, 'channel_read', { channel_id: 'room', seq: 2 }, 0)
  const late = acked(read, { last_read_seq: 1, unread_count: 1, mention_count: 0 })
  assert.deepEqual(counts(late), [0, 0])
  const settled = reduceLocal(read, 'read_settled', { channel_id: 'room', seq: 2 }, 0)
  const back = acked(settled, { last_read_seq: 1, unread_count: 1, mention_count: 0 })
  assert.deepEqual(counts(back), [1, 0])
})

test('an acknowledgement from before an own message does not mark it as unread', () => {
  const read = reduceLocal(
    receive(ready(), sampleMessage(1)),
    'channel_read',
    { channel_id: 'room', seq: 1 },
    0,
  )
  const written = receive(read, sampleMessage(2, { author: me }))
  const settled = reduceLocal(written, 'read_settled', { channel_id: 'room', seq: 1 }, 0)
  for (const state of [written, settled]) {
    const confirmed = acked(state, { last_read_seq: 1, unread_count: 0, mention_count: 0 })
    assert.deepEqual([counts(confirmed), confirmed.readStates.room?.kept_unread], [[0, 0], false])
    const back = acked(confirmed, { last_read_seq: 0, unread_count: 1, mention_count: 0 })
    assert.deepEqual([counts(back), back.readStates.room?.kept_unread], [[1, 0], true])
  }
})

test('a message already counted by the server is not counted twice', () => {
  const early = acked(ready(), { last_read_seq: 1, unread_count: 1, mention_count: 1 })
  assert.deepEqual(counts(receive(early, sampleMessage(2, { mentions: [me] }))), [1, 1])
})

test('losing access to a room, or leaving its space, removes its counts', () => {
  const unread = receive(ready(), sampleMessage(1, { mentions: [me] }))
  const hidden = reduceEvent(unread, 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0)
  const left = reduceEvent(unread, 'SPACE_DELETE', { space_id: 'space' }, 0)
  const kicked = { space_id: 'space', user_id: 'me', member_count: 1 }
  for (const state of [hidden, left, reduceEvent(unread, 'SPACE_MEMBER_DELETE', kicked, 0)])
    assert.deepEqual(
      [isSpaceUnread(state, 'space'), notifyingCount(state), isAnyUnread(state)],
      [false, 0, false],
    )
  const back = reduceEvent(hidden, 'ROOM_CREATE', sampleRoom('room', { last_seq: 3 }), 0)
  assert.deepEqual(counts(back), [3, 1], 'what was said meanwhile is unread too')
})

test('messages sent while the user has no access count later, even in a room never read', () => {
  const hidden = reduceEvent(ready(), 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0)
  const back = reduceEvent(hidden, 'ROOM_CREATE', sampleRoom('room', { last_seq: 2 }), 0)
  assert.deepEqual(counts(back), [2, 0])
})

test('every unread message of a conversation notifies the user', () => {
  const conversation = { ...place, room_id: null, space_id: null, conversation_id: 'talk' }
  const state = receive(ready(), sampleMessage(1, conversation))
  assert.equal(notifyingCount(state), 0, 'of one that is not open nothing counts')
  const opened = reduceEvent(state, 'CONVERSATION_CREATE', talk, 0)
  assert.equal(notifyingCount(receive(opened, sampleMessage(2, conversation))), 2)
})

test('own reactions are recognized, although events do not mark them', () => {
  const own = { emoji: '👍', count: 1, me: true }
  const held = [sampleMessage(1, { reactions: [own] })]
  const opened = reduceLocal(ready(), 'history_loaded', page(held), 0)
  const change = { ...place, message_id: 'message-1', seq: 1, emoji: '👍' }
  const reactions = (state: State) => state.timelines.room?.messages[0]?.reactions
  const more = reduceEvent(opened, 'MESSAGE_REACTION_ADD', { ...change, user_id: 'other', count: 2 }, 0)
  assert.deepEqual(reactions(more), [{ ...own, count: 2 }])
  const edited = sampleMessage(1, { content: 'new', reactions: [{ ...own, count: 2, me: false }] })
  assert.deepEqual(reactions(reduceEvent(more, 'MESSAGE_UPDATE', edited, 0)), [{ ...own, count: 2 }])
  const less = reduceEvent(more, 'MESSAGE_REACTION_REMOVE', { ...change, user_id: 'me', count: 1 }, 0)
  assert.deepEqual(reactions(less), [{ ...own, me: false }])
  const none = reduceEvent(less, 'MESSAGE_REACTION_REMOVE', { ...change, user_id: 'other', count: 0 }, 0)
  assert.deepEqual(reactions(none), [])
  const cleared = reduceEvent(more, 'MESSAGE_REACTION_CLEAR', { ...change, emoji: null }, 0)
  assert.deepEqual(reactions(cleared), [])
})

const talk = {
  id: 'talk',
  type: 1,
  name: null,
  icon: null,
  owner_id: null,
  recipients: [],
  last_message_id: null,
  last_seq: 1,
  created_at: '2026-01-01T00:00:00.000Z',
}

function ready(): State {
  const member = { ...sampleSpace('space').member, roles: ['mods'] }
  const roles = [sampleRole('space'), sampleRole('mods'), sampleRole('cooks')]
  const space = sampleSpace('space', { rooms: [sampleRoom('room')], roles, member })
  return reduceEvent(initialState, 'READY', sampleReady({ spaces: [space] }), 0)
}

function receive(state: State, message: Message): State {
  return reduceEvent(state, 'MESSAGE_CREATE', message, 0)
}

function acked(state: State, read: Omit<ReadState, 'room_id' | 'conversation_id'>): State {
  return reduceEvent(state, 'MESSAGE_ACK', { room_id: 'room', conversation_id: null, ...read }, 0)
}

function page(messages: Message[]) {
  return { channel_id: 'room', at: 'latest' as const, messages, asked_seq: 0, complete: true }
}

function gone(seq: number, change: Partial<DeletedMessage> = {}): DeletedMessage {
  const named = { mentions: [], mention_roles: [], mention_everyone: false }
  return { id: `message-${seq}`, seq, author_id: 'other', thread_id: null, ...named, ...change }
}

function counts(state: State): [number, number] {
  const read = state.readStates.room
  return [read?.unread_count ?? 0, read?.mention_count ?? 0]
}
