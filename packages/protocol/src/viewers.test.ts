import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { has, OverwriteTarget, Permission, type PermissionOverwrite, roomPermissions } from './permissions.ts'
import { isViewedByAll, viewKey } from './viewers.ts'

const SPACE = 'space'
const ROLES = ['crew', 'staff']
const USERS = ['ada', 'eve', 'kim']
const { Administrator, SendMessages, ViewChannels } = Permission

const flags = fc.constantFrom(0, ViewChannels, SendMessages, ViewChannels | SendMessages)
const overwrites: fc.Arbitrary<PermissionOverwrite[]> = fc.uniqueArray(
  fc
    .record({ target_id: fc.constantFrom(SPACE, ...ROLES, ...USERS), allow_flags: flags, deny_flags: flags })
    .map((overwrite) => ({
      ...overwrite,
      target_type: USERS.includes(overwrite.target_id) ? OverwriteTarget.Member : OverwriteTarget.Role,
    })),
  { selector: ({ target_id }) => target_id },
)
const permissions = fc.constantFrom(0, ViewChannels, SendMessages, Administrator)
const roles = fc
  .tuple(permissions, permissions, permissions)
  .map((all) => [SPACE, ...ROLES].map((id, index) => ({ id, permissions: all[index] ?? 0 })))
type Roles = typeof roles extends fc.Arbitrary<infer R> ? R : never

/** All possible members, with any combination of roles. */
function viewers(all: Roles, inRoom: readonly PermissionOverwrite[]): string[] {
  const holdings = [[], ['crew'], ['staff'], ['crew', 'staff']]
  const members = USERS.flatMap((userId) => holdings.map((held) => ({ userId, held })))
  return members.flatMap(({ userId, held }) => {
    const own = all.filter(({ id }) => id === SPACE || held.includes(id))
    const subject = { userId, ownerId: 'owner', spaceId: SPACE, roles: own }
    return has(roomPermissions(subject, inRoom), ViewChannels) ? [`${userId} ${held}`] : []
  })
}

test('rooms with the same key have the same viewers, whatever the order of overwrites', () => {
  fc.assert(
    fc.property(roles, overwrites, overwrites, fc.nat(), (all, one, other, turn) => {
      const turned = one.slice(turn % (one.length + 1)).concat(one.slice(0, turn % (one.length + 1)))
      assert.equal(viewKey(turned), viewKey(one))
      if (viewKey(one) === viewKey(other)) assert.deepEqual(viewers(all, one), viewers(all, other))
    }),
  )
})

test('a room that everyone views excludes nobody', () => {
  const said = { true: 0, false: 0 }
  fc.assert(
    fc.property(roles, overwrites, (all, inRoom) => {
      const everyone = all.filter(({ id }) => id === SPACE)
      const isSo = isViewedByAll({ id: SPACE, owner_id: 'owner', everyone }, inRoom)
      said[`${isSo}`] += 1
      if (isSo) assert.equal(viewers(all, inRoom).length, USERS.length * 4)
    }),
  )
  assert.ok(said.true > 5 && said.false > 5, JSON.stringify(said))
})

test('everyone views a room without overwrites if @everyone may view rooms', () => {
  const everyone = [{ id: SPACE, permissions: ViewChannels }]
  const space = { id: SPACE, owner_id: 'owner', everyone }
  const plain = {
    target_id: SPACE,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: SendMessages,
  }
  assert.deepEqual([isViewedByAll(space, []), isViewedByAll(space, [plain])], [true, true])
  assert.deepEqual([viewKey([]), viewKey([plain])], ['', ''])
})
