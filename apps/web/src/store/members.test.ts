import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleMember, sampleReady, sampleUser } from './samples.ts'
import { initialState, MAX_KNOWN_MEMBERS, type State } from './state.ts'

const idsIn = (state: State) => Object.keys(state.members.space ?? {})

test('members from lists, searches and responses are loaded and kept up to date', () => {
  const listed = reduceEvent(ready(), 'SPACE_MEMBER_LIST_UPDATE', listOf('a'), 0)
  const chunk = { members: [sampleMember('b')], presences: [], not_found: [] }
  const place = { space_id: 'space', chunk_index: 0, chunk_count: 1, nonce: null }
  const found = reduceEvent(listed, 'SPACE_MEMBERS_CHUNK', { ...place, ...chunk }, 0)
  const loaded = reduceLocal(found, 'members_loaded', { space_id: 'space', members: [sampleMember('c')] }, 0)
  const joined = reduceEvent(loaded, 'SPACE_MEMBER_CREATE', { ...sampleMember('d'), member_count: 4 }, 0)
  assert.deepEqual([idsIn(joined), joined.spaces.space?.member_count], [['a', 'b', 'c', 'd'], 4])
  const named = reduceEvent(joined, 'SPACE_MEMBER_UPDATE', sampleMember('b', { nickname: 'Bee' }), 0)
  assert.equal(named.members.space?.b?.nickname, 'Bee')
  const left = { space_id: 'space', user_id: 'a', member_count: 3 }
  const after = reduceEvent(named, 'SPACE_MEMBER_DELETE', left, 0)
  assert.deepEqual([idsIn(after).includes('a'), after.spaces.space?.member_count], [false, 3])
})

test('an update of an unknown member is ignored, unless their user is known', () => {
  const change = sampleMember('z', { nickname: 'Zed' })
  const { user: _user, position: _position, ...member } = change
  assert.deepEqual(idsIn(reduceEvent(ready(), 'SPACE_MEMBER_UPDATE', member, 0)), [])
  const met = reduceEvent(ready(), 'USER_UPDATE', sampleUser('z'), 0)
  assert.deepEqual(idsIn(reduceEvent(met, 'SPACE_MEMBER_UPDATE', member, 0)), ['z'])
})

test('unchanged members do not change the state', () => {
  const once = reduceEvent(ready(), 'SPACE_MEMBER_LIST_UPDATE', listOf('a'), 0)
  assert.equal(reduceEvent(once, 'SPACE_MEMBER_LIST_UPDATE', listOf('a'), 0), once)
})

test('only the last members of a large space are kept, and none of an unknown space', () => {
  const ids = Array.from({ length: MAX_KNOWN_MEMBERS + 5 }, (_, place) => `m${place}`)
  const loaded = { space_id: 'space', members: ids.map((id) => sampleMember(id)) }
  const kept = idsIn(reduceLocal(ready(), 'members_loaded', loaded, 0))
  assert.deepEqual([kept.length, kept[0]], [MAX_KNOWN_MEMBERS, 'm5'])
  assert.deepEqual(reduceLocal(ready(), 'members_loaded', { ...loaded, space_id: 'other' }, 0).members, {})
})

test('READY removes all members, since their changes are unknown', () => {
  const listed = reduceEvent(ready(), 'SPACE_MEMBER_LIST_UPDATE', listOf('a'), 0)
  assert.deepEqual(reduceEvent(listed, 'READY', sampleReady(), 0).members, {})
})

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady(), 0)
}

function listOf(...ids: string[]) {
  const members = ids.map((id) => sampleMember(id))
  const counts = { online_count: ids.length, member_count: ids.length }
  const ranges = [{ from: 0, to: 99, user_ids: ids }]
  return { space_id: 'space', room_id: null, groups: [], ...counts, ranges, members, presences: [] }
}
