import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { sampleMessage } from '#src/store/samples.ts'
import { groupsOf } from './hit-groups.ts'

const [one, three, four] = [1, 3, 4].map((seq) => sampleMessage(seq))
assert.ok(one && three && four)
const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id)

test('consecutive results in one room or conversation form a group', () => {
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
