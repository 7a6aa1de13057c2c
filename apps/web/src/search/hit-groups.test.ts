import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { sampleMessage } from '#src/store/samples.ts'
import { groupsOf, placeOf } from './hit-groups.ts'

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

test('results in two posts of a forum form two groups by their place', () => {
  const posts = [6, 5].map((seq) => sampleMessage(seq, { room_id: `post ${seq}`, parent_room_id: 'forum' }))
  assert.deepEqual(groupsOf(posts).map(idsOf), [idsOf(posts)])
  assert.deepEqual(
    groupsOf(posts, placeOf).map(idsOf),
    posts.map(({ id }) => [id]),
  )
})
