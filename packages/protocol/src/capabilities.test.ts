import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ALL_CAPABILITIES,
  areKnownCapabilities,
  Capability,
  type CapabilityName,
  DEFAULT_CAPABILITIES,
} from './capabilities.ts'
import { isInAudience } from './event-delivery.ts'
import { explainPermission } from './permission-reasons.ts'
import {
  allRights,
  OverwriteTarget,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
  roomRights,
  spaceRights,
} from './permissions.ts'
import { hasRight, type RightName, rightNames, rights } from './rights.ts'

/** Each run compares all 38 rights. */
const RUNS = 2000

const SPACE = 'space'
const MEMBER = 'member'
const ROLES = ['role-1', 'role-2', 'role-3']

interface World {
  subject: PermissionSubject
  overwrites: PermissionOverwrite[]
}

/** A naive model: one right at a time, without knowing of the two fields. */
function modelHas({ subject, overwrites }: World, name: RightName): boolean {
  const isOnRole = (wanted: RightName) =>
    subject.roles.some((role) => isIn(role.permissions, role.capabilities ?? 0, wanted))
  if (subject.userId === subject.ownerId || isOnRole('Administrator')) return true
  if (name === 'Administrator') return false
  const held = subject.roles.map(({ id }) => id)
  const everyone = onRoles(overwrites).filter(({ target_id }) => target_id === SPACE)
  const others = onRoles(overwrites).filter(
    ({ target_id }) => target_id !== SPACE && held.includes(target_id),
  )
  const own = overwrites.filter((one) => !onRoles([one]).length && one.target_id === subject.userId)
  let isOn = isOnRole(name)
  for (const step of [everyone, others, own]) {
    if (step.some((one) => isIn(one.deny_flags, one.deny_capabilities ?? 0, name))) isOn = false
    if (step.some((one) => isIn(one.allow_flags, one.allow_capabilities ?? 0, name))) isOn = true
  }
  return isOn
}

function onRoles(overwrites: readonly PermissionOverwrite[]): PermissionOverwrite[] {
  return overwrites.filter(({ target_type }) => target_type === OverwriteTarget.Role)
}

function isIn(permissions: number, capabilities: number, name: RightName): boolean {
  const { field, flag } = rights[name]
  return Math.floor((field === 'permissions' ? permissions : capabilities) / flag) % 2 === 1
}

/** About a quarter of the bits, so that steps undo each other often; now and then Administrator. */
const bits = (count: number) => {
  const any = fc.nat({ max: 2 ** count - 1 })
  return fc.tuple(any, any).map(([one, other]) => one & other)
}
const permissions = fc
  .tuple(bits(18), fc.nat({ max: 24 }))
  .map(([flags, dice]) => (dice === 0 ? flags | 1 : flags & ~1))
const capabilities = bits(20)

const role = (id: fc.Arbitrary<string>) => fc.record({ id, permissions, capabilities })

const world: fc.Arbitrary<World> = fc.record({
  subject: fc.record({
    userId: fc.constant(MEMBER),
    ownerId: fc.nat({ max: 19 }).map((dice) => (dice === 0 ? MEMBER : 'somebody')),
    spaceId: fc.constant(SPACE),
    roles: fc.tuple(...[SPACE, 'role-1', 'role-2'].map((id) => role(fc.constant(id)))),
  }),
  overwrites: fc
    .array(
      fc.record({
        target_id: fc.constantFrom(SPACE, MEMBER, 'other-member', ...ROLES),
        target_type: fc.constantFrom(OverwriteTarget.Role, OverwriteTarget.Member),
        allow_flags: permissions,
        deny_flags: permissions,
        allow_capabilities: capabilities,
        deny_capabilities: capabilities,
      }),
      { maxLength: 4 },
    )
    // At most one per target.
    .map((given) => [...new Map(given.map((one) => [one.target_id, one])).values()]),
})

test('CAPABILITY-1, CAPABILITY-2: rights are those of the model, for any roles and overwrites', () => {
  const property = fc.property(world, (given) => {
    const inRoom = roomRights(given.subject, given.overwrites)
    const inSpace = spaceRights(given.subject)
    const inNone = { ...given, overwrites: [] }
    return rightNames.every(
      (name) =>
        hasRight(inRoom, name) === modelHas(given, name) &&
        hasRight(inSpace, name) === modelHas(inNone, name),
    )
  })
  fc.assert(property, { numRuns: RUNS })
})

test('CAPABILITY-1, REASON-1: an explanation of a capability says what the rules say', () => {
  const property = fc.property(world, fc.constantFrom(...rightNames), (given, name) => {
    const { allowed } = explainPermission(given.subject, given.overwrites, name)
    assert.equal(allowed, hasRight(roomRights(given.subject, given.overwrites), name))
  })
  fc.assert(property, { numRuns: RUNS })
})

test('CAPABILITY-1: omitted capabilities mean none', () => {
  const subject = {
    userId: MEMBER,
    ownerId: 'somebody',
    spaceId: SPACE,
    roles: [{ id: SPACE, permissions: 2 }],
  }
  const overwrite = { target_id: SPACE, target_type: OverwriteTarget.Role, allow_flags: 4, deny_flags: 0 }
  assert.deepEqual(roomRights(subject, [overwrite]), { permissions: 6, capabilities: 0 })
})

test('CAPABILITY-2: the owner and administrators have every capability, also where a room denies it', () => {
  const roles = [{ id: SPACE, permissions: 0, capabilities: 0 }]
  const subject = { userId: MEMBER, ownerId: 'somebody', spaceId: SPACE, roles }
  const denied = {
    target_id: SPACE,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: 0,
    deny_capabilities: ALL_CAPABILITIES,
  }
  assert.equal(roomRights(subject, [denied]).capabilities, 0)
  assert.deepEqual(roomRights({ ...subject, ownerId: MEMBER }, [denied]), allRights)
  const administrators = { id: 'role-1', permissions: Permission.Administrator }
  assert.deepEqual(roomRights({ ...subject, roles: [...roles, administrators] }, [denied]), allRights)
})

const names: CapabilityName[] = [
  'KickMembers',
  'BanMembers',
  'TimeoutMembers',
  'ViewAuditLog',
  'ManageReports',
  'ManageAutomod',
  'BypassSlowMode',
  'MentionEveryone',
  'AttachFiles',
  'AddReactions',
  'EmbedLinks',
  'CreateThreads',
  'ManageThreads',
  'UseVideo',
  'ShareScreen',
  'MoveMembers',
  'PrioritySpeaker',
  'CreatePolls',
  'ManageEvents',
  'ManageNicknames',
]

test('CAPABILITY-3: the table has these bits in this order, and every other bit is unknown', () => {
  assert.deepEqual(
    Object.entries(Capability),
    names.map((name, bit) => [name, 2 ** bit]),
  )
  for (const known of [0, 1, ALL_CAPABILITIES, DEFAULT_CAPABILITIES])
    assert.equal(areKnownCapabilities(known), true, `${known}`)
  for (const unknown of [ALL_CAPABILITIES + 1, 2 ** 31, 2 ** 32, 2 ** 53, -1, 0.5, Number.NaN])
    assert.equal(areKnownCapabilities(unknown), false, `${unknown}`)
})

test('CAPABILITY-8: an audience is everyone, those with a permission, or those with a capability', () => {
  const banning = { permissions: 0, capabilities: Capability.BanMembers }
  const administering = { permissions: Permission.Administrator, capabilities: 0 }
  const audiences = [0, Permission.Administrator, -Capability.BanMembers]
  assert.deepEqual(
    audiences.map((audience) => isInAudience(banning, audience)),
    [true, false, true],
  )
  assert.deepEqual(
    audiences.map((audience) => isInAudience(administering, audience)),
    [true, true, false],
  )
})
