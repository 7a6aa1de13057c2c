import { MAX_ROLES } from '@foyer/protocol/limits'
import { Permission, type RightFlags } from '@foyer/protocol/permissions'
import type { CreateRoleBody, Role, UpdateRoleBody } from '@foyer/protocol/roles'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type ChargeDeps, chargeBudget } from '#src/kernel/limits/rate-limits.ts'
import { budgetOf } from '#src/kernel/secrets/credentials.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { checkFlags, checkHolds, without } from '#src/spaces/flags.ts'
import { deleteOverwritesOf } from '#src/spaces/membership.ts'
import { accessRole, checkBelow, refuseEveryone } from '../access.ts'
import { changedRoles, type RoleFields, withoutRole, withRole } from '../order.ts'
import { deleteRoleRow, lowerTopRoles, raiseTopRoles, saveRoles } from '../queries.ts'

interface Deps extends ChargeDeps {
  database: Database
}

const { ManageRoles } = Permission

/**
 * Creates a role, above @everyone and below all other roles.
 * @throws ApiError 400 for unknown flags or at the space's limit of roles, 403 for a permission that the caller does
 *   not have
 */
export async function createRole(deps: Deps, access: SpaceAccess, body: CreateRoleBody): Promise<Role> {
  const role = newRole(access.spaceId, body)
  checkFlags(role)
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageRoles)
    checkHolds(held, role)
    if (held.snapshot.roles.size >= MAX_ROLES) throw new ApiError('too_many_roles')
    const changes = changesWith(held, role)
    chargeChanges(deps, access, changes.length)
    const saved = await saveRoles(transaction, changes, role.id)
    publishRoles(transaction, saved, role.id)
    const created = roleIn(saved, role.id)
    await record(transaction, held, 'role_create', { ...targetOf(created), after: created })
    return created
  })
}

/**
 * Changes the given fields. If the role moves, the others move accordingly.
 * @throws ApiError 400 for unknown flags and for moving @everyone or moving to its position; 404 for a role of another
 * space; 403 for a role or position not below the caller's highest role, or a permission that the caller does not have
 */
export async function updateRole(
  deps: Deps,
  access: SpaceAccess,
  roleId: string,
  body: UpdateRoleBody,
): Promise<Role> {
  checkFlags({ permissions: body.permissions ?? 0, capabilities: body.capabilities ?? 0 })
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageRoles)
    const role = accessRole(held, roleId)
    const wanted = withChanges(role, body)
    checkPosition(held, wanted)
    checkHolds(held, without(wanted, role))
    const changes = changesWith(held, wanted)
    if (changes.length === 0) return role
    chargeChanges(deps, access, changes.length)
    const saved = await saveRoles(transaction, changes, roleId)
    const updated = roleIn(saved, roleId)
    await mendTopRoles(transaction, role, saved)
    if (!haveSameRights(updated, role)) transaction.publish(accessChange(held.spaceId))
    publishRoles(transaction, saved)
    await record(transaction, held, 'role_update', { ...targetOf(updated), before: role, after: updated })
    return updated
  })
}

/**
 * Deletes a role with its overwrites, and removes it from its members.
 * @throws ApiError 404 for a role of another space, 400 for @everyone, 403 for a role not below the caller's highest
 */
export async function deleteRole(deps: Deps, access: SpaceAccess, roleId: string): Promise<void> {
  refuseEveryone(access, roleId)
  await deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageRoles)
    const role = accessRole(held, roleId)
    const { spaceId, snapshot } = held
    const overwrites = await deleteOverwritesOf(transaction, spaceId, [roleId])
    const roomIds = overwrites.map(({ room_id }) => room_id)
    await deleteRoleRow(transaction, spaceId, roleId)
    await lowerTopRoles(transaction, spaceId, roleId)
    const left = withoutRole([...snapshot.roles.values()], roleId)
    const changes = changedRoles(snapshot.roles, left)
    chargeChanges(deps, access, changes.length + roomIds.length)
    const saved = await saveRoles(transaction, changes, null)
    transaction.publish(accessChange(spaceId))
    publishDeletion(transaction, { spaceId, roleId, roomIds })
    publishRoles(transaction, saved)
    await record(transaction, held, 'role_delete', { ...targetOf(role), before: role })
  })
}

/** Charges the rate limit: each moved role costs a row, an event and a journal row. */
function chargeChanges(deps: ChargeDeps, { caller }: SpaceAccess, cost: number): void {
  chargeBudget(deps, 'structureChanges', { budget: budgetOf(caller), cost })
}

function targetOf({ id, name }: Role) {
  return { type: 'role', id, name } as const
}

function newRole(spaceId: string, body: CreateRoleBody): RoleFields {
  return {
    space_id: spaceId,
    id: newId(),
    name: body.name,
    permissions: body.permissions ?? 0,
    capabilities: body.capabilities ?? 0,
    color_from: body.color_from ?? null,
    color_via: body.color_via ?? null,
    color_to: body.color_to ?? null,
    hoisted: body.hoisted ?? false,
    position: 1,
  }
}

/** Undefined fields stay unchanged; null clears a field. */
function withChanges(role: Role, body: UpdateRoleBody): RoleFields {
  const { clear_colors, ...given } = body
  const changes = {
    name: given.name ?? role.name,
    permissions: given.permissions ?? role.permissions,
    capabilities: given.capabilities ?? role.capabilities,
    hoisted: given.hoisted ?? role.hoisted,
    position: given.position ?? role.position,
  }
  if (clear_colors) return { ...role, ...changes, color_from: null, color_via: null, color_to: null }
  const { color_from = role.color_from, color_via = role.color_via, color_to = role.color_to } = given
  return { ...role, ...changes, color_from, color_via, color_to }
}

function haveSameRights(one: RightFlags, other: RightFlags): boolean {
  return one.permissions === other.permissions && one.capabilities === other.capabilities
}

/** @everyone stays at position 0, alone. Members other than the owner may only move a role below their own highest role. */
function checkPosition(held: HeldSpace, { id, position }: RoleFields): void {
  if (id === held.spaceId && position !== 0) throw new ApiError('everyone_is_fixed')
  if (id !== held.spaceId && position === 0)
    throw new ApiError('invalid_request', 'position 0 is reserved for @everyone')
  checkBelow(held, position)
}

function changesWith({ snapshot }: HeldSpace, role: RoleFields): RoleFields[] {
  return changedRoles(snapshot.roles, withRole([...snapshot.roles.values()], role))
}

/**
 * Updates members' highest roles after a move. The other roles keep their order, so only members with the moved role
 * can be affected.
 * @param saved the moved role, and the roles that it passed
 */
async function mendTopRoles(transaction: Transaction, before: Role, saved: readonly Role[]): Promise<void> {
  const { position } = roleIn(saved, before.id)
  const passed = saved.map(({ id }) => id).filter((id) => id !== before.id)
  if (position > before.position) await raiseTopRoles(transaction, before, passed)
  if (position < before.position) await lowerTopRoles(transaction, before.space_id, before.id)
}

function publishRoles(transaction: Transaction, roles: readonly Role[], createdId?: string): void {
  for (const role of roles) {
    const name = role.id === createdId ? 'SPACE_ROLE_CREATE' : 'SPACE_ROLE_UPDATE'
    transaction.publish(event(topicOf.space(role.space_id), name, role))
  }
}

interface Deletion {
  spaceId: string
  roleId: string
  /** Rooms in which the role had overwrites. */
  roomIds: readonly string[]
}

function publishDeletion(transaction: Transaction, { spaceId, roleId, roomIds }: Deletion): void {
  for (const room_id of roomIds) {
    const gone = { space_id: spaceId, room_id, target_id: roleId }
    transaction.publish(event(topicOf.room(spaceId, room_id), 'ROOM_OVERWRITE_DELETE', gone))
  }
  const deleted = { space_id: spaceId, role_id: roleId }
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_ROLE_DELETE', deleted))
}

function roleIn(roles: readonly Role[], roleId: string): Role {
  const role = roles.find(({ id }) => id === roleId)
  if (role === undefined) throw new Error('a role that was just saved cannot be read')
  return role
}
