import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FriendRequest } from '@foyer/protocol/friends'
import { sampleUser } from '#src/store/samples.ts'
import { initialState } from '#src/store/state.ts'
import { pendingRequests } from '../pending-requests.ts'
import { relationTo } from './relation.ts'

const since = '2026-01-01T00:00:00.000Z'
const received = request('r1', { from: 'mira', to: 'me', other: 'mira' })
const sent = request('r2', { from: 'me', to: 'jonas', other: 'jonas' })
const friendRequests = { r1: received, r2: sent }

test('a friend request is received from its sender, and sent to its receiver', () => {
  const state = { ...initialState, friendRequests }
  assert.deepEqual(relationTo(state, 'mira'), { kind: 'received', requestId: 'r1' })
  assert.deepEqual(relationTo(state, 'jonas'), { kind: 'sent', requestId: 'r2' })
  assert.deepEqual(relationTo(state, 'a user'), { kind: 'none' })
})

test('a block hides any other relation', () => {
  const user = sampleUser('mira')
  const state = { ...initialState, friendRequests, friends: { mira: { user, since } } }
  assert.deepEqual(relationTo(state, 'mira'), { kind: 'friend', since })
  assert.deepEqual(relationTo({ ...state, blocks: { mira: { user, since } } }, 'mira'), { kind: 'blocked' })
})

test('pending requests are filtered by direction, newest first', () => {
  const newer = request('r3', { from: 'lena', to: 'me', other: 'lena' })
  const requests = { ...friendRequests, r3: newer }
  assert.deepEqual(pendingRequests(requests, 'received'), [newer, received])
  assert.deepEqual(pendingRequests(requests, 'sent'), [sent])
})

function request(
  id: string,
  { from, to, other }: { from: string; to: string; other: string },
): FriendRequest {
  const user = { user_id: other, user_username: other, user_alias: null, user_avatar: null }
  return { id, sender_id: from, receiver_id: to, created_at: since, ...user }
}
