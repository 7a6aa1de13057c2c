import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from './reducers.ts'
import { sampleReady, sampleUser } from './samples.ts'
import { initialState, type State } from './state.ts'

const SINCE = '2026-01-01T00:00:00.000Z'

const request = {
  id: 'request',
  sender_id: 'ada',
  receiver_id: 'me',
  user_id: 'ada',
  created_at: SINCE,
  user_username: 'ada',
  user_alias: null,
  user_avatar: null,
}

test('READY replaces friends, requests and blocks', () => {
  const friends = [{ user: sampleUser('ada'), since: SINCE }]
  const blocks = [{ user: sampleUser('eve'), since: SINCE }]
  const state = ready({ friends, blocks, friend_requests: [request] })
  assert.deepEqual(state.friends, { ada: friends[0] })
  assert.deepEqual(state.blocks, { eve: blocks[0] })
  assert.deepEqual(state.friendRequests, { request })
  assert.deepEqual(Object.keys(state.users).sort(), ['ada', 'eve', 'me'])
  const again = reduceEvent(state, 'READY', sampleReady(), 0)
  assert.deepEqual([again.friends, again.blocks, again.friendRequests], [{}, {}, {}])
})

test('friend requests and friends are added and removed', () => {
  const requested = reduceEvent(ready(), 'FRIEND_REQUEST_CREATE', request, 0)
  assert.deepEqual(requested.friendRequests, { request })
  const answered = reduceEvent(requested, 'FRIEND_REQUEST_DELETE', { id: 'request' }, 0)
  assert.deepEqual(answered.friendRequests, {})
  const friend = { user: sampleUser('ada'), since: SINCE }
  const befriended = reduceEvent(answered, 'FRIEND_CREATE', friend, 0)
  assert.deepEqual([befriended.friends, befriended.users.ada], [{ ada: friend }, friend.user])
  assert.deepEqual(reduceEvent(befriended, 'FRIEND_DELETE', { user_id: 'ada' }, 0).friends, {})
})

test('blocks are added and removed', () => {
  const block = { user: sampleUser('eve'), since: SINCE }
  const blocked = reduceEvent(ready(), 'BLOCK_CREATE', block, 0)
  assert.deepEqual([blocked.blocks, blocked.users.eve], [{ eve: block }, block.user])
  assert.deepEqual(reduceEvent(blocked, 'BLOCK_DELETE', { user_id: 'eve' }, 0).blocks, {})
})

function ready(change = {}): State {
  return reduceEvent(initialState, 'READY', sampleReady(change), 0)
}
