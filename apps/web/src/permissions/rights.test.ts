import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMember, sampleRole, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { mayInRoom, rightsInRoom, rightsInSpace, rolesFromTop } from './rights.ts'

const low = sampleRole('low', { position: 1 })
const middle = sampleRole('middle', { position: 2, permissions: Permission.ManageRoles })
const high = sampleRole('high', { position: 3 })

test('what one may do is what @everyone and the roles one has allow together', () => {
  const state = entered({ own: ['middle'] })
  assert.equal(rightsInSpace(state.spaces.space).flags, DEFAULT_PERMISSIONS | Permission.ManageRoles)
  assert.equal(rightsInSpace(entered({}).spaces.space).may(Permission.ManageRoles), false)
})

test('in a space that one is not in, one may do nothing', () => {
  const rights = rightsInSpace(undefined)
  const asked = [rights.flags, rights.isAbove(low), rights.outranks(sampleMember('other'))]
  assert.deepEqual(asked, [0, false, false])
})

test('the owner may do everything, to every role and every member but themselves', () => {
  const rights = rightsInSpace(entered({ owner: 'me' }).spaces.space)
  assert.deepEqual([rights.flags, rights.isOwner, rights.isAbove(high)], [ALL_PERMISSIONS, true, true])
  assert.equal(rights.outranks(sampleMember('other', { roles: ['high'] })), true)
  assert.equal(rights.outranks(sampleMember('me')), false)
})

test('others stand above the roles and the members below their highest role', () => {
  const rights = rightsInSpace(entered({ own: ['middle'] }).spaces.space)
  assert.deepEqual([low, middle, high].map(rights.isAbove), [true, false, false])
  const members = [['low'], ['middle'], ['low', 'high'], []].map((roles) => sampleMember('other', { roles }))
  assert.deepEqual(members.map(rights.outranks), [true, false, false, true])
  assert.equal(rights.outranks(sampleMember('owner')), false)
})

test('a room overwrite counts for its room alone', () => {
  const flags = { allow_flags: 0, deny_flags: Permission.SendMessages }
  const state = entered({ overwrites: [{ room_id: 'room', target_id: 'space', target_type: 0, ...flags }] })
  assert.equal(mayInRoom(state, 'room', Permission.SendMessages), false)
  assert.equal(mayInRoom(state, 'other', Permission.SendMessages), true)
  assert.equal(mayInRoom(state, 'other', Permission.ManageMessages), false)
  assert.equal(mayInRoom(state, 'unknown', Permission.SendMessages), false)
})

test('administrators are such in rooms too, and an overwrite makes none', () => {
  const flags = { allow_flags: Permission.Administrator, deny_flags: Permission.ViewChannels }
  const overwrites = [{ room_id: 'room', target_id: 'space', target_type: 0, ...flags }]
  const admin = sampleRole('admin', { permissions: Permission.Administrator, position: 4 })
  const asked = [entered({ overwrites, roles: [admin], own: ['admin'] }), entered({ overwrites })].map(
    (state) => {
      const rights = rightsInRoom(state.spaces.space, 'room')
      return [
        rights.isAdministrator,
        rights.may(Permission.Administrator),
        rights.may(Permission.ViewChannels),
      ]
    },
  )
  assert.deepEqual(asked, [
    [true, true, true],
    [false, false, false],
  ])
})

test('roles are listed from the highest down to @everyone', () => {
  const ids = rolesFromTop(sampleSpace('space', { roles: [low, sampleRole('space'), high, middle] })).map(
    (role) => role.id,
  )
  assert.deepEqual(ids, ['high', 'middle', 'low', 'space'])
})

interface Entered {
  owner?: string
  own?: string[]
  roles?: (typeof low)[]
  overwrites?: ReturnType<typeof sampleSpace>['overwrites']
}

function entered({
  owner = 'owner',
  own = [],
  roles = [low, middle, high],
  overwrites = [],
}: Entered): State {
  const { user: _user, position: _position, ...member } = sampleMember('me', { roles: own })
  const everyone = sampleRole('space', { permissions: DEFAULT_PERMISSIONS })
  const rooms = [sampleRoom('room'), sampleRoom('other')]
  const change = { owner_id: owner, roles: [everyone, ...roles], overwrites, rooms, member }
  return reduceEvent(initialState, 'SPACE_CREATE', sampleSpace('space', change), 0)
}
