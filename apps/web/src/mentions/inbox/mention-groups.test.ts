import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import type { Message } from '@foyer/protocol/messages'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace, sampleUser } from '#src/store/samples.ts'
import { inSight, isMeant, withChanges } from './mention-groups.ts'

const [one, two, three, four] = [1, 2, 3, 4].map((seq) => sampleMessage(seq))
assert.ok(one && two && three && four)
const talk: Conversation = {
  id: 'talk',
  type: ConversationType.Direct,
  name: null,
  icon: null,
  owner_id: null,
  recipients: [sampleUser('me'), sampleUser('mira')],
  last_message_id: null,
  last_seq: 0,
  created_at: '2026-01-01T00:00:00.000Z',
}
const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id)
const changesOf = (...messages: Message[]) => new Map(messages.map((message) => [message.id, message]))

test('new messages come first, updates stay in place, and deleted messages are removed', () => {
  const edited = { ...three, content: 'edited' }
  const changes = new Map([...changesOf(four, edited), [two.id, null] as const])
  const shown = withChanges({ messages: [three, two, one], cursor: null }, changes)
  assert.deepEqual(shown, [four, edited, one])
})

test('messages older than the list only appear with their page', () => {
  const changes = changesOf(one, four)
  assert.deepEqual(withChanges({ messages: [three, two], cursor: two.id }, changes), [four, three, two])
  assert.deepEqual(withChanges({ messages: [three, two], cursor: null }, changes), [four, three, two, one])
  assert.deepEqual(withChanges({ messages: [], cursor: two.id }, changes), [four])
})

test('messages of hidden rooms and conversations, and of blocked people, are not shown', () => {
  const elsewhere = sampleMessage(5, { room_id: 'lost' })
  const direct = sampleMessage(6, { room_id: null, conversation_id: 'talk', space_id: null })
  const ofEve = sampleMessage(7, { author: sampleUser('eve') })
  const blocks = { eve: { user: sampleUser('eve'), since: '2026-01-01T00:00:00.000Z' } }
  const rooms = { room: sampleRoom('room') }
  const all = [ofEve, direct, elsewhere, one]
  const conversations = { talk }
  assert.deepEqual(idsOf(inSight({ blocks, rooms, conversations }, all)), idsOf([direct, one]))
  assert.deepEqual(idsOf(inSight({ blocks, rooms, conversations: {} }, all)), idsOf([one]))
})

test('a mention in a thread is shown as long as its room is visible', () => {
  const inThread = sampleMessage(8, { room_id: 'thread', parent_room_id: 'room' })
  const lost = sampleMessage(9, { room_id: 'thread', parent_room_id: 'lost' })
  const sight = { blocks: {}, rooms: { room: sampleRoom('room') }, conversations: {} }
  assert.deepEqual(idsOf(inSight(sight, [lost, inThread])), [inThread.id])
})

test('mentions of everyone from before the user joined do not count, and those by name do', () => {
  const space = sampleSpace('space')
  const member = { ...space.member, joined_at: '2026-06-01T00:00:00.000Z' }
  const me = { ...sampleReady().user, id: 'me' }
  const state = { me, spaces: { space: { ...space, member } } }
  const before = sampleMessage(1, { space_id: 'space', created_at: '2026-05-31T23:59:59.999Z' })
  const since = sampleMessage(2, { space_id: 'space', created_at: '2026-06-01T00:00:00.000Z' })
  const named = { ...before, mentions: [sampleUser('me')] }
  const elsewhere = { ...before, space_id: null }
  const meant = [before, since, named, elsewhere].map((message) => isMeant(state, message))
  assert.deepEqual(meant, [false, true, true, true])
})
