import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { mayInRoom } from '#src/permissions/rights.ts'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleMember, sampleReady, sampleRole, sampleRoom, sampleSpace, sampleUser } from './samples.ts'
import { initialState, type State } from './state.ts'

test('a role that is made or changed counts at once', () => {
  const made = reduceEvent(ready(), 'SPACE_ROLE_CREATE', sampleRole('mods', { position: 1 }), 0)
  const own = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('me', ['mods']), 0)
  assert.equal(mayInRoom(own, 'room', Permission.ManageMessages), false)
  const mods = sampleRole('mods', { position: 1, permissions: Permission.ManageMessages })
  const changed = reduceEvent(own, 'SPACE_ROLE_UPDATE', mods, 0)
  assert.equal(mayInRoom(changed, 'room', Permission.ManageMessages), true)
  assert.equal(changed.spaces.space?.roles.length, 2)
})

test('a role that is deleted goes from its members, from me and from every room', () => {
  const mods = sampleRole('mods', { position: 1, permissions: Permission.ManageMessages })
  const overwrite = { room_id: 'room', target_id: 'mods', target_type: 0, allow_flags: 0, deny_flags: 2 }
  const events = [
    ['SPACE_ROLE_CREATE', mods],
    ['SPACE_MEMBER_UPDATE', member('me', ['mods'])],
    ['ROOM_OVERWRITE_UPDATE', { space_id: 'space', ...overwrite }],
  ] as const
  const before = events.reduce(
    (state, [name, data]) => reduceEvent(state, name, data, 0),
    listed(['me', 'a']),
  )
  assert.deepEqual(order(before), ['me', 'a'])
  assert.equal(mayInRoom(before, 'room', Permission.ManageMessages), true)
  const gone = { space_id: 'space', role_id: 'mods' }
  const after = reduceEvent(before, 'SPACE_ROLE_DELETE', gone, 0)
  assert.equal(mayInRoom(after, 'room', Permission.ManageMessages), false)
  const { roles, overwrites, member: own } = after.spaces.space ?? sampleSpace('none')
  assert.deepEqual([roles.length, overwrites, own.roles], [1, [], []])
  assert.deepEqual(order(after), ['a', 'me'])
  assert.deepEqual(
    after.members.space?.entries.map((entry) => entry.roles),
    [[], []],
  )
})

test('members stand in the order of their roles, also when those move', () => {
  const made = withRoles(listed(['a', 'b', 'c']), { low: 1, high: 2 })
  const lifted = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('c', ['low']), 0)
  const both = reduceEvent(lifted, 'SPACE_MEMBER_UPDATE', member('b', ['high']), 0)
  assert.deepEqual(order(both), ['b', 'c', 'a'])
  assert.deepEqual(order(withRoles(both, { low: 2, high: 1 })), ['c', 'b', 'a'])
})

test('where not all members are loaded, a move of roles asks for them anew', () => {
  const made = withRoles(listed(['a', 'b'], false), { low: 1, high: 2 })
  assert.equal(made.members.space?.stale, false)
  const lifted = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('b', ['low']), 0)
  assert.equal(lifted.members.space?.stale, false, 'who is listed needs no question')
  assert.equal(withRoles(lifted, { low: 2, high: 1 }).members.space?.stale, true)
})

test('who comes up from beyond the loaded pages is asked for, unless they are known', () => {
  const made = withRoles(listed(['a', 'b'], false), { low: 1 })
  const unmoved = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('z', []), 0)
  assert.equal(unmoved.members, made.members)
  const lifted = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('z', ['low']), 0)
  assert.deepEqual([order(lifted), lifted.members.space?.stale], [['a', 'b'], true])
  const known = reduceEvent(made, 'USER_UPDATE', sampleUser('z'), 0)
  const inserted = reduceEvent(known, 'SPACE_MEMBER_UPDATE', member('z', ['low']), 0)
  assert.deepEqual([order(inserted), inserted.members.space?.stale], [['z', 'a', 'b'], false])
})

test('who sinks below the loaded pages comes back with their page', () => {
  const made = withRoles(listed(['a', 'b', 'c'], false), { low: 1 })
  const lifted = reduceEvent(made, 'SPACE_MEMBER_UPDATE', member('c', ['low']), 0)
  assert.deepEqual(order(lifted), ['c', 'a', 'b'])
  assert.deepEqual(order(reduceEvent(lifted, 'SPACE_MEMBER_UPDATE', member('c', []), 0)), ['a', 'b'])
})

test('an overwrite replaces the one before for the same target, and can be taken back', () => {
  const place = { space_id: 'space', room_id: 'room', target_id: 'space', target_type: 0 }
  const deny = { ...place, allow_flags: 0, deny_flags: Permission.SendMessages }
  const denied = reduceEvent(ready(), 'ROOM_OVERWRITE_UPDATE', deny, 0)
  assert.equal(mayInRoom(denied, 'room', Permission.SendMessages), false)
  const allowed = reduceEvent(denied, 'ROOM_OVERWRITE_UPDATE', { ...deny, deny_flags: 0 }, 0)
  assert.equal(mayInRoom(allowed, 'room', Permission.SendMessages), true)
  const elsewhere = { ...place, room_id: 'other' }
  assert.equal(reduceEvent(denied, 'ROOM_OVERWRITE_DELETE', elsewhere, 0).spaces.space?.overwrites.length, 1)
  const back = reduceEvent(denied, 'ROOM_OVERWRITE_DELETE', place, 0)
  assert.equal(mayInRoom(back, 'room', Permission.SendMessages), true)
})

test('a room that comes back has only the overwrites that it has now', () => {
  const deny = { room_id: 'room', target_id: 'space', target_type: 0, allow_flags: 0, deny_flags: 2 }
  const denied = reduceEvent(ready(), 'ROOM_OVERWRITE_UPDATE', { space_id: 'space', ...deny }, 0)
  const gone = reduceEvent(denied, 'ROOM_DELETE', { space_id: 'space', room_id: 'room' }, 0)
  const back = reduceEvent(gone, 'ROOM_CREATE', sampleRoom('room'), 0)
  assert.equal(mayInRoom(back, 'room', Permission.SendMessages), true)
})

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady(), 0)
}

function listed(ids: string[], complete = true): State {
  const page = { space_id: 'space', members: ids.map((id) => sampleMember(id)), first: true, complete }
  return reduceLocal(ready(), 'members_loaded', page, 0)
}

function withRoles(state: State, positions: Record<string, number>): State {
  const roles = Object.entries(positions).map(([id, position]) => sampleRole(id, { position }))
  return roles.reduce((before, role) => reduceEvent(before, 'SPACE_ROLE_UPDATE', role, 0), state)
}

function member(id: string, roles: string[]) {
  const { user: _user, position: _position, ...rest } = sampleMember(id, { roles })
  return rest
}

function order(state: State): string[] {
  return state.members.space?.entries.map((entry) => entry.id) ?? []
}
