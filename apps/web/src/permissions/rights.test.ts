import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights, DEFAULT_PERMISSIONS, noRights, Permission } from '@foyer/protocol/permissions'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMember, sampleRole, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { mayEveryoneView, mayInRoom, rightsInRoom, rightsInSpace, rolesFromTop } from './rights.ts'

const low = sampleRole('low', { position: 1 })
const middle = sampleRole('middle', { position: 2, permissions: Permission.ManageRoles })
const noCapabilities = { allow_capabilities: 0, deny_capabilities: 0 }
const high = sampleRole('high', { position: 3 })

test('rights combine the permissions of @everyone and all roles of the member', () => {
  const state = entered({ own: ['middle'] })
  assert.equal(
    rightsInSpace(state.spaces.space).flags.permissions,
    DEFAULT_PERMISSIONS | Permission.ManageRoles,
  )
  assert.equal(rightsInSpace(entered({}).spaces.space).may(Permission.ManageRoles), false)
})

test('a user has no rights in a space they are not in', () => {
  const rights = rightsInSpace(undefined)
  const asked = [rights.flags, rights.isAbove(low), rights.outranks(sampleMember('other'))]
  assert.deepEqual(asked, [noRights, false, false])
})

test('the owner may do everything to all roles, and to all members but themselves', () => {
  const rights = rightsInSpace(entered({ owner: 'me' }).spaces.space)
  assert.deepEqual([rights.flags, rights.isOwner, rights.isAbove(high)], [allRights, true, true])
  assert.equal(rights.outranks(sampleMember('other', { roles: ['high'] })), true)
  assert.equal(rights.outranks(sampleMember('me')), false)
})

test('other members rank above the roles and members below their highest role', () => {
  const rights = rightsInSpace(entered({ own: ['middle'] }).spaces.space)
  assert.deepEqual([low, middle, high].map(rights.isAbove), [true, false, false])
  const members = [['low'], ['middle'], ['low', 'high'], []].map((roles) => sampleMember('other', { roles }))
  assert.deepEqual(members.map(rights.outranks), [true, false, false, true])
  assert.equal(rights.outranks(sampleMember('owner')), false)
})

test('a room overwrite applies to its room only', () => {
  const flags = { allow_flags: 0, deny_flags: Permission.SendMessages, ...noCapabilities }
  const state = entered({ overwrites: [{ room_id: 'room', target_id: 'space', target_type: 0, ...flags }] })
  assert.equal(mayInRoom(state, 'room', Permission.SendMessages), false)
  assert.equal(mayInRoom(state, 'other', Permission.SendMessages), true)
  assert.equal(mayInRoom(state, 'other', Permission.ManageMessages), false)
  assert.equal(mayInRoom(state, 'unknown', Permission.SendMessages), false)
})

test('WEBROOM-8: a room that is hidden from @everyone is open to nobody else, whatever other roles allow', () => {
  const flags = { allow_flags: 0, deny_flags: Permission.ViewChannels, ...noCapabilities }
  const own = { ...flags, allow_flags: Permission.ViewChannels, deny_flags: 0 }
  const state = entered({
    owner: 'me',
    overwrites: [
      { room_id: 'room', target_id: 'space', target_type: 0, ...flags },
      { room_id: 'room', target_id: 'middle', target_type: 0, ...own },
    ],
  })
  const { space } = state.spaces
  assert.ok(space)
  assert.deepEqual(
    ['room', 'other'].map((id) => mayEveryoneView(space, id)),
    [false, true],
  )
})

test('administrators keep their rights in rooms, and an overwrite cannot make one', () => {
  const flags = {
    allow_flags: Permission.Administrator,
    deny_flags: Permission.ViewChannels,
    ...noCapabilities,
  }
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

test('roles are sorted from the highest to @everyone', () => {
  const ids = rolesFromTop(sampleSpace('space', { roles: [low, sampleRole('space'), high, middle] })).map(
    (role) => role.id,
  )
  assert.deepEqual(ids, ['high', 'middle', 'low', 'space'])
})

test('OPERATOR-44: in a frozen space its owner may only view', () => {
  const state = entered({ owner: 'me', frozen_at: '2026-03-01T10:00:00.000Z' })
  const rights = rightsInSpace(state.spaces.space)
  assert.deepEqual([rights.flags.permissions, rights.flags.capabilities], [Permission.ViewChannels, 0])
  assert.deepEqual([rights.isAdministrator, rights.may(Permission.SendMessages)], [false, false])
  assert.equal(mayInRoom(state, 'room', Permission.SendMessages), false)
  assert.equal(mayInRoom(state, 'room', Permission.ViewChannels), true)
})

interface Entered {
  owner?: string
  own?: string[]
  roles?: (typeof low)[]
  overwrites?: ReturnType<typeof sampleSpace>['overwrites']
  frozen_at?: string | null
}

function entered({
  owner = 'owner',
  own = [],
  roles = [low, middle, high],
  overwrites = [],
  frozen_at = null,
}: Entered): State {
  const { user: _user, position: _position, ...member } = sampleMember('me', { roles: own })
  const everyone = sampleRole('space', { permissions: DEFAULT_PERMISSIONS })
  const rooms = [sampleRoom('room'), sampleRoom('other')]
  const change = { owner_id: owner, roles: [everyone, ...roles], overwrites, rooms, member, frozen_at }
  return reduceEvent(initialState, 'SPACE_CREATE', sampleSpace('space', change), 0)
}
