import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { mayInRoom } from '#src/permissions/rights.ts'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleMember, sampleReady, sampleRole, sampleRoom, sampleSpace } from './samples.ts'
import { initialState, type State } from './state.ts'

const noFlags = { allow_flags: 0, deny_flags: 0, allow_capabilities: 0, deny_capabilities: 0 }

test('new and changed roles apply immediately', () => {
  const made = reduceEvent(ready(), 'SPACE_ROLE_CREATE', sampleRole('mods', { position: 1 }), 0)
  const own = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('me', ['mods']), 0)
  assert.equal(mayInRoom(own, 'room', Permission.ManageMessages), false)
  const mods = sampleRole('mods', { position: 1, permissions: Permission.ManageMessages })
  const changed = reduceEvent(own, 'SPACE_ROLE_UPDATE', mods, 0)
  assert.equal(mayInRoom(changed, 'room', Permission.ManageMessages), true)
  assert.equal(changed.spaces.space?.roles.length, 2)
})

test('a deleted role is removed from members, from the user and from all rooms', () => {
  const mods = sampleRole('mods', { position: 1, permissions: Permission.ManageMessages })
  const overwrite = { room_id: 'room', target_id: 'mods', target_type: 0, ...noFlags, deny_flags: 2 }
  const events = [
    ['SPACE_ROLE_CREATE', mods],
    ['SPACE_MEMBER_UPDATE', member('me', ['mods'])],
    ['ROOM_OVERWRITE_UPDATE', { space_id: 'space', ...overwrite }],
  ] as const
  const before = events.reduce((state, [name, data]) => reduceEvent(state, name, data, 0), known(['me', 'a']))
  assert.equal(mayInRoom(before, 'room', Permission.ManageMessages), true)
  const gone = { space_id: 'space', role_id: 'mods' }
  const after = reduceEvent(before, 'SPACE_ROLE_DELETE', gone, 0)
  assert.equal(mayInRoom(after, 'room', Permission.ManageMessages), false)
  const { roles, overwrites, member: own } = after.spaces.space ?? sampleSpace('none')
  assert.deepEqual([roles.length, overwrites, own.roles], [1, [], []])
  assert.deepEqual(
    Object.values(after.members.space ?? {}).map((entry) => entry.roles),
    [[], []],
  )
})

test('an overwrite replaces the previous one of its target, and can be removed', () => {
  const place = { space_id: 'space', room_id: 'room', target_id: 'space', target_type: 0 }
  const deny = { ...place, ...noFlags, deny_flags: Permission.SendMessages }
  const denied = reduceEvent(ready(), 'ROOM_OVERWRITE_UPDATE', deny, 0)
  assert.equal(mayInRoom(denied, 'room', Permission.SendMessages), false)
  const allowed = reduceEvent(denied, 'ROOM_OVERWRITE_UPDATE', { ...deny, deny_flags: 0 }, 0)
  assert.equal(mayInRoom(allowed, 'room', Permission.SendMessages), true)
  const elsewhere = { ...place, room_id: 'other' }
  assert.equal(reduceEvent(denied, 'ROOM_OVERWRITE_DELETE', elsewhere, 0).spaces.space?.overwrites.length, 1)
  const back = reduceEvent(denied, 'ROOM_OVERWRITE_DELETE', place, 0)
  assert.equal(mayInRoom(back, 'room', Permission.SendMessages), true)
})

test('a room that is visible again has only its current overwrites', () => {
  const deny = { room_id: 'room', target_id: 'space', target_type: 0, ...noFlags, deny_flags: 2 }
  const denied = reduceEvent(ready(), 'ROOM_OVERWRITE_UPDATE', { space_id: 'space', ...deny }, 0)
  const gone = reduceEvent(denied, 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0)
  const back = reduceEvent(gone, 'ROOM_CREATE', sampleRoom('room'), 0)
  assert.equal(mayInRoom(back, 'room', Permission.SendMessages), true)
})

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady(), 0)
}

function known(ids: string[]): State {
  const loaded = { space_id: 'space', members: ids.map((id) => sampleMember(id)) }
  return reduceLocal(ready(), 'members_loaded', loaded, 0)
}

function member(id: string, roles: string[]) {
  const { user: _user, position: _position, ...rest } = sampleMember(id, { roles })
  return rest
}
