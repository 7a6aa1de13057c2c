import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ALL_PERMISSIONS,
  areKnownFlags,
  DEFAULT_PERMISSIONS,
  has,
  OverwriteTarget,
  Permission,
  type PermissionName,
  type PermissionOverwrite,
  type PermissionSubject,
  roomPermissions,
  spacePermissions,
} from './permissions.ts'

const RUNS = 2000

const names: PermissionName[] = [
  'Administrator',
  'ViewChannels',
  'SendMessages',
  'ManageMessages',
  'ManageChannels',
  'ChangeNickname',
  'JoinVoice',
  'SpeakInVoice',
  'ManageRoles',
  'ManageInvites',
  'CreateInvites',
  'ManageSpaceEmojis',
  'ManageSpaceBuckets',
  'ManageSpaceStickers',
  'ManageBots',
  'ManageSpaceAttachments',
  'ManageSpaceWebhooks',
  'PinMessages',
]

interface World {
  subject: PermissionSubject
  overwrites: PermissionOverwrite[]
}

// A second reading of the specification, one quoted sentence after the other, on sets of names instead of bits.

type Names = ReadonlySet<PermissionName>

function modelOfSpace({ subject }: World): Names {
  // "The space owner and members with Administrator have every permission."
  if (subject.userId === subject.ownerId) return new Set(names)
  // "A member's base permissions are the bitwise OR of the permissions of all their roles."
  const base = union(subject.roles.map((role) => namesIn(role.permissions)))
  return base.has('Administrator') ? new Set(names) : base
}

function modelOfRoom(world: World): Names {
  const { subject, overwrites } = world
  const base = modelOfSpace(world)
  // "… including in rooms with overwrites."
  if (base.has('Administrator')) return base
  const ofRoles = overwrites.filter(({ target_type }) => target_type === 0)
  const ofMembers = overwrites.filter(({ target_type }) => target_type === 1)
  const roleIds = new Set(subject.roles.map(({ id }) => id))
  // "(a) the @everyone overwrite (the @everyone role's ID is the space ID)"
  const everyone = ofRoles.filter(({ target_id }) => target_id === subject.spaceId)
  // "(b) the member's other role overwrites, combined"
  const others = ofRoles.filter(({ target_id }) => target_id !== subject.spaceId && roleIds.has(target_id))
  // "(c) the member's own overwrite"
  const own = ofMembers.filter(({ target_id }) => target_id === subject.userId)
  const result = [everyone, others, own].reduce(
    // "each first removing its denied bits and then adding its allowed bits"
    (before, step) =>
      before
        .difference(union(step.map(({ deny_flags }) => namesIn(deny_flags))))
        .union(union(step.map(({ allow_flags }) => namesIn(allow_flags)))),
    base,
  )
  // "Administrator only takes effect when granted by a role, not by an overwrite."
  return result.difference(new Set<PermissionName>(['Administrator']))
}

function namesIn(flags: number): Set<PermissionName> {
  return new Set(names.filter((_, bit) => Math.floor(flags / 2 ** bit) % 2 === 1))
}

function flagsOf(set: Names): number {
  return [...set].reduce((sum, name) => sum + 2 ** names.indexOf(name), 0)
}

function union(sets: Names[]): Set<PermissionName> {
  return new Set(sets.flatMap((set) => [...set]))
}

const SPACE = 'space'
const MEMBER = 'member'
const ROLES = ['role-1', 'role-2', 'role-3', 'role-4']

/** Few bits at a time, so that steps undo each other often; now and then Administrator. */
const flags = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 17 }), { maxLength: 6 }), fc.integer({ min: 0, max: 19 }))
  .map(([bits, dice]) => bits.reduce((sum, bit) => sum | (1 << bit), dice === 0 ? 1 : 0))

const subject: fc.Arbitrary<PermissionSubject> = fc.record({
  userId: fc.constant(MEMBER),
  ownerId: fc.integer({ min: 0, max: 9 }).map((dice) => (dice === 0 ? MEMBER : 'somebody')),
  spaceId: fc.constant(SPACE),
  roles: fc
    .tuple(
      flags,
      fc.uniqueArray(fc.record({ id: fc.constantFrom(...ROLES), permissions: flags }), {
        selector: ({ id }) => id,
      }),
    )
    .map(([everyone, others]) => [{ id: SPACE, permissions: everyone }, ...others]),
})

/** Ids of roles as members' targets too, and the other way round: the type decides, not the id. */
const overwrite: fc.Arbitrary<PermissionOverwrite> = fc.record({
  target_id: fc.constantFrom(SPACE, MEMBER, 'other-member', ...ROLES),
  target_type: fc.constantFrom(OverwriteTarget.Role, OverwriteTarget.Member),
  allow_flags: flags,
  deny_flags: flags,
})

const world: fc.Arbitrary<World> = fc.record({
  subject,
  overwrites: fc.uniqueArray(overwrite, { selector: ({ target_id }) => target_id, maxLength: 7 }),
})

test('PERM-1 to PERM-4: permissions follow the specification, whatever the roles and overwrites', () => {
  const property = fc.property(world, (given) => {
    assert.equal(spacePermissions(given.subject), flagsOf(modelOfSpace(given)))
    assert.equal(roomPermissions(given.subject, given.overwrites), flagsOf(modelOfRoom(given)))
  })
  fc.assert(property, { numRuns: RUNS })
})

test('PERM-2: the order of overwrites does not matter', () => {
  const property = fc.property(world, ({ subject, overwrites }) => {
    const there = roomPermissions(subject, overwrites)
    assert.equal(roomPermissions(subject, overwrites.toReversed()), there)
  })
  fc.assert(property, { numRuns: RUNS })
})

const everyone = { id: SPACE, permissions: DEFAULT_PERMISSIONS }
const moderators = { id: 'role-1', permissions: Permission.ManageMessages }
const talkers = { id: 'role-2', permissions: 0 }
const member = { userId: MEMBER, ownerId: 'somebody', spaceId: SPACE, roles: [everyone, moderators, talkers] }

function onRole(target_id: string, allow_flags: number, deny_flags: number): PermissionOverwrite {
  return { target_id, target_type: OverwriteTarget.Role, allow_flags, deny_flags }
}

function onMember(target_id: string, allow_flags: number, deny_flags: number): PermissionOverwrite {
  return { target_id, target_type: OverwriteTarget.Member, allow_flags, deny_flags }
}

test('PERM-1: a member may do everything that any of their roles allows', () => {
  assert.equal(spacePermissions(member), DEFAULT_PERMISSIONS | Permission.ManageMessages)
  assert.equal(spacePermissions({ ...member, roles: [everyone] }), DEFAULT_PERMISSIONS)
  assert.equal(spacePermissions({ ...member, roles: [] }), 0)
})

test('PERM-2: roles override @everyone, the member’s overwrite overrides roles, and allowing overrides denying', () => {
  const speaks = (...overwrites: PermissionOverwrite[]) =>
    has(roomPermissions(member, overwrites), Permission.SendMessages)
  const speaking = Permission.SendMessages
  assert.equal(speaks(), true)
  assert.equal(speaks(onRole(SPACE, 0, speaking)), false)
  assert.equal(speaks(onRole(SPACE, 0, speaking), onRole('role-1', speaking, 0)), true)
  assert.equal(speaks(onRole('role-2', 0, speaking), onRole('role-1', speaking, 0)), true)
  assert.equal(speaks(onRole('role-1', speaking, 0), onMember(MEMBER, 0, speaking)), false)
  assert.equal(speaks(onRole('role-1', 0, speaking), onMember(MEMBER, speaking, 0)), true)
  assert.equal(speaks(onMember('other-member', 0, speaking)), true)
  assert.equal(speaks(onRole('role-3', 0, speaking)), true)
})

test('PERM-3: the owner and administrators may do everything, even where a room denies it', () => {
  const overwrites = [onRole(SPACE, 0, ALL_PERMISSIONS), onMember(MEMBER, 0, ALL_PERMISSIONS)]
  const administrators = { id: 'role-4', permissions: Permission.Administrator }
  assert.equal(roomPermissions(member, overwrites), 0)
  assert.equal(roomPermissions({ ...member, ownerId: MEMBER }, overwrites), ALL_PERMISSIONS)
  assert.equal(roomPermissions({ ...member, roles: [everyone, administrators] }, overwrites), ALL_PERMISSIONS)
})

test('PERM-4: an overwrite that allows Administrator makes nobody an administrator', () => {
  for (const overwrite of [
    onRole(SPACE, Permission.Administrator, 0),
    onRole('role-1', Permission.Administrator, 0),
    onMember(MEMBER, Permission.Administrator, 0),
  ])
    assert.equal(roomPermissions(member, [overwrite]), spacePermissions(member))
})

test('PERM-5: the table has the bits of the specification, and no others are known', () => {
  assert.deepEqual(
    Object.entries(Permission),
    names.map((name, bit) => [name, 2 ** bit]),
  )
  for (const known of [0, 1, ALL_PERMISSIONS, Permission.PinMessages])
    assert.equal(areKnownFlags(known), true, `${known}`)
  for (const unknown of [ALL_PERMISSIONS + 1, 2 ** 31, 2 ** 32, 2 ** 53, -1, 0.5, Number.NaN])
    assert.equal(areKnownFlags(unknown), false, `${unknown}`)
})
