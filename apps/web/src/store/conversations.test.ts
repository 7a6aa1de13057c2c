import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import { MUTED_FOR_EVER } from '@foyer/protocol/notifications'
import {
  directWith,
  newestUnreadConversation,
  othersIn,
  sortedConversations,
  unreadInConversations,
} from './conversations.ts'
import { reduceEvent } from './reducers.ts'
import { sampleMessage, sampleReady, sampleUser } from './samples.ts'
import { initialState, type State } from './state.ts'

const [me, mira, jonas] = ['me', 'mira', 'jonas'].map((id) => sampleUser(id))

function conversation(id: string, change: Partial<Conversation> = {}): Conversation {
  return {
    id,
    type: ConversationType.Direct,
    name: null,
    icon: null,
    owner_id: null,
    recipients: [me, mira].filter((user) => user !== undefined),
    last_message_id: null,
    last_seq: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    ...change,
  }
}

const direct = conversation('direct')
const group = conversation('group', { type: ConversationType.Group, owner_id: 'me' })
const ready = reduceEvent(initialState, 'READY', sampleReady({ conversations: [direct, group] }), 0)

function withNewMessage(state: State, conversation_id: string, seq: number): State {
  const place = { room_id: null, space_id: null, conversation_id }
  return reduceEvent(state, 'MESSAGE_CREATE', sampleMessage(seq, { ...place, author: sampleUser('mira') }), 0)
}

test('the conversation with the newest message comes first, and its messages are unread', () => {
  assert.deepEqual(
    sortedConversations(ready.conversations).map(({ id }) => id),
    ['group', 'direct'],
  )
  const after = withNewMessage(ready, 'direct', 1)
  assert.deepEqual(
    sortedConversations(after.conversations).map(({ id }) => id),
    ['direct', 'group'],
  )
  assert.equal(unreadInConversations(after), 1)
  assert.equal(unreadInConversations(ready), 0)
})

test('Home opens the newest unread conversation that is not muted', () => {
  const both = withNewMessage(withNewMessage(ready, 'group', 1), 'direct', 2)
  const muting = { scope: 'conversation', id: 'direct', level: null, muted_until: MUTED_FOR_EVER } as const
  const muted = reduceEvent(both, 'NOTIFICATION_SETTING_UPDATE', muting, 0)
  const found = (state: State) => [unreadInConversations(state), newestUnreadConversation(state)?.id]
  assert.deepEqual([ready, both, muted].map(found), [
    [0, undefined],
    [2, 'direct'],
    [1, 'group'],
  ])
})

test('older data of a conversation does not undo a newer message', () => {
  const again = reduceEvent(withNewMessage(ready, 'direct', 1), 'CONVERSATION_CREATE', direct, 0)
  assert.equal(again.conversations.direct?.last_seq, 1)
})

test('members are added and removed once, even with duplicate events', () => {
  const joined = { conversation_id: 'group', user: jonas ?? sampleUser('jonas') }
  const twice = [joined, joined].reduce(
    (state, data) => reduceEvent(state, 'CONVERSATION_MEMBER_ADD', data, 0),
    ready,
  )
  const names = (state: State) => othersIn(state, state.conversations.group ?? group).map(({ id }) => id)
  assert.deepEqual(names(twice), ['mira', 'jonas'])
  const left = { conversation_id: 'group', user_id: 'mira' }
  assert.deepEqual(names(reduceEvent(twice, 'CONVERSATION_MEMBER_REMOVE', left, 0)), ['jonas'])
})

test('closing or leaving a conversation removes its messages, and later events of it are ignored', () => {
  const closed = reduceEvent(
    withNewMessage(ready, 'direct', 1),
    'CONVERSATION_DELETE',
    { conversation_id: 'direct' },
    0,
  )
  assert.deepEqual(Object.keys(closed.conversations), ['group'])
  assert.equal('direct' in closed.timelines, false)
  assert.equal(reduceEvent(closed, 'CONVERSATION_UPDATE', direct, 0), closed)
  assert.equal(directWith(closed.conversations, 'mira'), undefined)
  assert.equal(directWith(ready.conversations, 'mira')?.id, 'direct')
})
