import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { explainPermission, type PermissionReason } from './permission-reasons.ts'
import {
  has,
  OverwriteTarget,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
  roomPermissions,
  roomRights,
  spaceRights,
} from './permissions.ts'
import { type RightName, rightNames, rights } from './rights.ts'

const RUNS = 2000

interface World {
  subject: PermissionSubject
  overwrites: readonly PermissionOverwrite[]
}

const SPACE = 'space'
const MEMBER = 'member'
const ROLES = ['role-1', 'role-2', 'role-3']

/** Three bits among few, so that most worlds have much to say about the one that is asked for; now and then Administrator. */
const BITS = [Permission.ViewChannels, Permission.SendMessages, Permission.PinMessages] as const
const flags = fc
  .tuple(fc.subarray([...BITS]), fc.integer({ min: 0, max: 24 }))
  .map(([bits, dice]) =>
    bits.reduce<number>((sum, bit) => sum | bit, dice === 0 ? Permission.Administrator : 0),
  )

const role = (id: fc.Arbitrary<string>) => fc.record({ id, permissions: flags })
const subject: fc.Arbitrary<PermissionSubject> = fc.record({
  userId: fc.constant(MEMBER),
  ownerId: fc.constantFrom(...Array(9).fill('somebody'), MEMBER),
  spaceId: fc.constant(SPACE),
  roles: fc
    .tuple(
      role(fc.constant(SPACE)),
      fc.uniqueArray(role(fc.constantFrom(...ROLES)), { selector: ({ id }) => id }),
    )
    .map(([everyone, others]) => [everyone, ...others]),
})

const overwrite: fc.Arbitrary<PermissionOverwrite> = fc.record({
  target_id: fc.constantFrom(SPACE, MEMBER, 'other-member', ...ROLES),
  target_type: fc.constantFrom(OverwriteTarget.Role, OverwriteTarget.Member),
  allow_flags: flags,
  deny_flags: flags,
})
const overwrites = fc.uniqueArray(overwrite, { selector: ({ target_id }) => target_id, maxLength: 6 })
const world: fc.Arbitrary<World> = fc.record({ subject, overwrites })
const bit = fc.constantFrom(...BITS, Permission.Administrator)

/** The permission with the bit. */
function nameOf(flag: number): RightName {
  const name = rightNames.find((one) => rights[one].field === 'permissions' && rights[one].flag === flag)
  assert.ok(name)
  return name
}

const allows = (given: World, flag: number) => has(roomPermissions(given.subject, given.overwrites), flag)
const explain = (given: World, flag: number) =>
  explainPermission(given.subject, given.overwrites, nameOf(flag))

test('REASON-1: an explanation gives the result of the rules', () => {
  const property = fc.property(world, fc.nat({ max: 17 }), (given, index) => {
    assert.equal(explain(given, 1 << index).allowed, allows(given, 1 << index))
  })
  fc.assert(property, { numRuns: RUNS })
})

test('REASON-2: facts later in the order do not matter', () => {
  const property = fc.property(world, world, bit, (given, other, flag) => {
    const { allowed, reason } = explain(given, flag)
    assert.equal(allows(withElse(given, reason, other), flag), allowed)
  })
  fc.assert(property, { numRuns: RUNS })
})

test('REASON-2: reversing the named fact reverses the result', () => {
  const property = fc.property(world, bit, (given, flag) => {
    const { allowed, reason } = explain(given, flag)
    fc.pre(reason.kind !== 'owner' && reason.kind !== 'administrator')
    assert.equal(allows(turned(given, reason, flag), flag), !allowed)
  })
  fc.assert(property, { numRuns: RUNS })
})

test('REASON-3: each of several named roles would be enough alone', () => {
  const property = fc.property(world, bit, (given, flag) => {
    const { allowed, reason } = explain(given, flag)
    fc.pre('roleIds' in reason)
    const wanted = reason.kind === 'administrator' ? Permission.Administrator : flag
    assert.ok(reason.roleIds.length > 0)
    const alone = reason.roleIds.map((id) => allows(silenced(given, { reason, wanted, keep: id }), flag))
    assert.deepEqual(new Set(alone), new Set([allowed]))
  })
  fc.assert(property, { numRuns: RUNS })
})

test('REASON-4: a member who cannot view the room gets that as the reason for every other permission', () => {
  const property = fc.property(world, bit, (given, flag) => {
    const isHidden = !allows(given, Permission.ViewChannels)
    assert.equal(explain(given, flag).needsView, isHidden && flag !== Permission.ViewChannels)
  })
  fc.assert(property, { numRuns: RUNS })
})

const speaking = Permission.SendMessages
const kim = {
  userId: MEMBER,
  ownerId: 'somebody',
  spaceId: SPACE,
  roles: [
    { id: SPACE, permissions: Permission.ViewChannels | speaking },
    { id: 'role-1', permissions: speaking },
    { id: 'role-2', permissions: 0 },
  ],
}
const onRole = (target_id: string, allow_flags: number, deny_flags: number) =>
  ({ target_id, target_type: OverwriteTarget.Role, allow_flags, deny_flags }) as const
const onMember = (target_id: string, allow_flags: number, deny_flags: number) =>
  ({ target_id, target_type: OverwriteTarget.Member, allow_flags, deny_flags }) as const

test('REASON-2: each kind of fact is named where it decides', () => {
  const because = (
    overwrites: PermissionOverwrite[],
    given: PermissionSubject = kim,
    flag: number = speaking,
  ) => {
    const { allowed, reason } = explainPermission(given, overwrites, nameOf(flag))
    return [allowed, reason]
  }
  const taken = onRole(SPACE, 0, speaking)
  const administrators = { id: 'role-3', permissions: Permission.Administrator }
  assert.deepEqual(because([taken], { ...kim, ownerId: MEMBER }), [true, { kind: 'owner' }])
  assert.deepEqual(because([taken], { ...kim, roles: [...kim.roles, administrators] }), [
    true,
    { kind: 'administrator', roleIds: ['role-3'] },
  ])
  assert.deepEqual(because([]), [true, { kind: 'roles', roleIds: [SPACE, 'role-1'] }])
  assert.deepEqual(because([], kim, Permission.ManageBots), [false, { kind: 'no_role' }])
  assert.deepEqual(because([taken]), [false, { kind: 'everyone_overwrite' }])
  assert.deepEqual(because([onRole(SPACE, speaking, speaking)]), [true, { kind: 'everyone_overwrite' }])
  assert.deepEqual(because([taken, onRole('role-2', speaking, 0), onRole('role-1', 0, speaking)]), [
    true,
    { kind: 'role_overwrites', roleIds: ['role-2'] },
  ])
  assert.deepEqual(because([onRole('role-1', 0, speaking), onRole('role-2', 0, speaking)]), [
    false,
    { kind: 'role_overwrites', roleIds: ['role-1', 'role-2'] },
  ])
  assert.deepEqual(because([onRole('role-1', 0, speaking), onMember(MEMBER, speaking, 0)]), [
    true,
    { kind: 'member_overwrite' },
  ])
  assert.deepEqual(because([onMember('other-member', 0, speaking)]), [
    true,
    { kind: 'roles', roleIds: [SPACE, 'role-1'] },
  ])
  assert.deepEqual(because([onMember(MEMBER, Permission.Administrator, 0)], kim, Permission.Administrator), [
    false,
    { kind: 'no_role' },
  ])
})

/** In the order in which the rules apply: what comes later overrules what came before. */
const ORDER: readonly PermissionReason['kind'][] = [
  'no_role',
  'roles',
  'everyone_overwrite',
  'role_overwrites',
  'member_overwrite',
  'administrator',
  'owner',
]

/** The world with everything that comes before the fact as it is in the other world, as far as both have it. */
function withElse(given: World, { kind }: PermissionReason, other: World): World {
  const rank = ORDER.indexOf(kind)
  const isReplaced = (held: PermissionOverwrite) => ORDER.indexOf(stepOf(held)) < rank
  const kept = given.overwrites.filter((held) => !isReplaced(held))
  const taken = other.overwrites.filter(isReplaced)
  const ids = new Set(kept.map(({ target_id }) => target_id))
  return {
    subject: rank > ORDER.indexOf('roles') ? withElseRoles(given, kind, other) : given.subject,
    overwrites: [...kept, ...taken.filter(({ target_id }) => !ids.has(target_id))],
  }
}

/** Returns the same roles with the other permissions, without changing who is an administrator. */
function withElseRoles({ subject }: World, kind: PermissionReason['kind'], other: World): PermissionSubject {
  const kept = kind === 'owner' ? 0 : Permission.Administrator
  const roles = subject.roles.map(({ id, permissions }, index) => {
    const anything = other.subject.roles[index]?.permissions ?? 0
    return { id, permissions: (permissions & kept) | (anything & ~kept) }
  })
  return { ...subject, roles }
}

function stepOf({ target_id, target_type }: PermissionOverwrite): PermissionReason['kind'] {
  if (target_type === OverwriteTarget.Member) return 'member_overwrite'
  return target_id === SPACE ? 'everyone_overwrite' : 'role_overwrites'
}

function turned(given: World, reason: PermissionReason, flag: number): World {
  if (reason.kind === 'no_role' || reason.kind === 'roles') {
    const isNamed = (id: string) => 'roleIds' in reason && reason.roleIds.includes(id)
    const roles = given.subject.roles.map(({ id, permissions }) => ({
      id,
      permissions: isNamed(id) ? permissions & ~flag : permissions | (reason.kind === 'no_role' ? flag : 0),
    }))
    return { ...given, subject: { ...given.subject, roles } }
  }
  const isNamed = (held: PermissionOverwrite) =>
    stepOf(held) === reason.kind && (!('roleIds' in reason) || reason.roleIds.includes(held.target_id))
  const turn = ({ allow_flags, deny_flags, ...target }: PermissionOverwrite) =>
    has(allow_flags, flag)
      ? { ...target, allow_flags: allow_flags & ~flag, deny_flags: deny_flags | flag }
      : { ...target, allow_flags: allow_flags | flag, deny_flags: deny_flags & ~flag }
  return { ...given, overwrites: given.overwrites.map((held) => (isNamed(held) ? turn(held) : held)) }
}

/** The world in which, of the named roles, only one still says anything about the flag. */
function silenced(
  { subject, overwrites }: World,
  { reason, wanted, keep }: { reason: PermissionReason; wanted: number; keep: string },
): World {
  const isSilent = (id: string) => 'roleIds' in reason && reason.roleIds.includes(id) && id !== keep
  if (reason.kind !== 'role_overwrites') {
    const roles = subject.roles.map(({ id, permissions }) => ({
      id,
      permissions: isSilent(id) ? permissions & ~wanted : permissions,
    }))
    return { subject: { ...subject, roles }, overwrites }
  }
  const silent = overwrites.filter(
    ({ target_id, target_type }) => target_type === OverwriteTarget.Role && isSilent(target_id),
  )
  const hush = ({ allow_flags, deny_flags, ...target }: PermissionOverwrite) => ({
    ...target,
    allow_flags: allow_flags & ~wanted,
    deny_flags: deny_flags & ~wanted,
  })
  return { subject, overwrites: overwrites.map((held) => (silent.includes(held) ? hush(held) : held)) }
}

test('REASON-2, OPERATOR-12: a frozen space leaves its owner and administrators nothing but what they see', () => {
  const roles = [{ id: 'space', permissions: Permission.Administrator }]
  for (const ownerId of ['ada', 'eve']) {
    const subject = { userId: 'ada', ownerId, spaceId: 'space', roles, isFrozen: true }
    assert.deepEqual(roomRights(subject, []), { permissions: Permission.ViewChannels, capabilities: 0 })
    assert.deepEqual(spaceRights(subject), { permissions: Permission.ViewChannels, capabilities: 0 })
    for (const name of ['SendMessages', 'KickMembers', 'Administrator'] as const) {
      const { allowed, reason } = explainPermission(subject, [], name)
      assert.deepEqual([allowed, reason.kind], [false, 'frozen'], name)
    }
    assert.equal(explainPermission(subject, [], 'ViewChannels').allowed, true)
  }
})
