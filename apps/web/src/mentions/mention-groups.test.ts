import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { sampleMessage, sampleRoom, sampleUser } from '#src/store/samples.ts'
import { groupsOf, inSight, withNews } from './mention-groups.ts'

const [one, two, three, four] = [1, 2, 3, 4].map((seq) => sampleMessage(seq))
assert.ok(one && two && three && four)
const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id)
const newsOf = (...messages: Message[]) => new Map(messages.map((message) => [message.id, message]))

test('what is said meanwhile comes first, what changes stays in its place, and what is gone goes', () => {
  const edited = { ...three, content: 'edited' }
  const news = new Map([...newsOf(four, edited), [two.id, null] as const])
  const shown = withNews({ messages: [three, two, one], cursor: null }, news)
  assert.deepEqual(shown, [four, edited, one])
})

test('what is older than the list goes comes with its page alone', () => {
  const news = newsOf(one, four)
  assert.deepEqual(withNews({ messages: [three, two], cursor: two.id }, news), [four, three, two])
  assert.deepEqual(withNews({ messages: [three, two], cursor: null }, news), [four, three, two, one])
  assert.deepEqual(withNews({ messages: [], cursor: two.id }, news), [four])
})

test('rooms out of sight, and whom one blocks, are not shown', () => {
  const elsewhere = sampleMessage(5, { room_id: 'lost' })
  const direct = sampleMessage(6, { room_id: null, conversation_id: 'talk', space_id: null })
  const ofEve = sampleMessage(7, { author: sampleUser('eve') })
  const blocks = { eve: { user: sampleUser('eve'), since: '2026-01-01T00:00:00.000Z' } }
  const rooms = { room: sampleRoom('room') }
  const shown = inSight({ blocks, rooms }, [ofEve, direct, elsewhere, one])
  assert.deepEqual(idsOf(shown), idsOf([direct, one]))
})

test('what follows each other in one place stands under one heading', () => {
  const elsewhere = sampleMessage(5, { room_id: 'other' })
  const direct = sampleMessage(6, { room_id: null, conversation_id: 'talk', space_id: null })
  assert.deepEqual(groupsOf([four, three, elsewhere, direct, one]).map(idsOf), [
    idsOf([four, three]),
    idsOf([elsewhere]),
    idsOf([direct]),
    idsOf([one]),
  ])
  assert.deepEqual(groupsOf([]), [])
})
