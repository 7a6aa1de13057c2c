import type { CreateGroupRoleBody, GroupRole } from '@foyer/protocol/group-roles'
import { MAX_GROUP_ROLES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import type { Providers } from '#src/kernel/oidc/providers.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { findMembers } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { accessRole, refuseEveryone } from '../access.ts'
import {
  deleteGroupRole,
  findGroupRole,
  type GroupRoleRow,
  listGroupRoles,
  saveGroupRole,
} from './queries.ts'
import { mayGive, mayName } from './rights.ts'

export interface GroupRoleDeps {
  database: Database
  providers: Providers
}

const { ManageRoles } = Permission

export async function findGroupRoles(
  { database, providers }: GroupRoleDeps,
  { spaceId, snapshot }: SpaceAccess,
): Promise<GroupRole[]> {
  const rows = await listGroupRoles(database, spaceId)
  const setters = await findMembers(database, spaceId, [...new Set(rows.map(({ set_by }) => set_by))])
  return rows.map((row) => {
    const provider = providers.of(row.issuer)
    const setter = setters.find(({ user_id }) => user_id === row.set_by)
    const isWorking = mayName(provider, row.group_name) && mayGive(snapshot, setter, row.role_id)
    return { ...shown(row, provider), is_working: isWorking }
  })
}

/**
 * Creates a group role: members of a provider's group get the role. If the group role exists, the caller becomes its
 * creator. The creator must be able to assign the role.
 * @throws ApiError 400 for @everyone and above the limit, 403 for a role not below the caller's highest and for a group
 * that spaces may not use, 404 for a role of another space and for an unknown provider
 */
export async function createGroupRole(
  { database, providers }: GroupRoleDeps,
  access: SpaceAccess,
  { provider: providerId, group, role_id }: CreateGroupRoleBody,
): Promise<GroupRole> {
  const provider = providers.named(providerId)
  if (provider === undefined) throw new ApiError('unknown_provider')
  if (!mayName(provider, group)) throw new ApiError('group_not_allowed')
  const { issuer } = provider.settings
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageRoles)
    const { spaceId, caller } = held
    refuseEveryone(held, role_id)
    const role = accessRole(held, role_id)
    const known = await listGroupRoles(transaction, spaceId)
    const former = known.find(
      (row) => row.role_id === role_id && row.issuer === issuer && row.group_name === group,
    )
    if (former === undefined && known.length >= MAX_GROUP_ROLES) throw new ApiError('too_many_group_roles')
    const set = { role_id, issuer, group_name: group, set_by: caller.user.id }
    const row = await saveGroupRole(transaction, { id: newId(), space_id: spaceId, ...set })
    if (former?.set_by !== row.set_by) {
      const action = former === undefined ? 'group_role_create' : 'group_role_update'
      const after = fieldsOf(row, provider)
      await record(transaction, held, action, { ...targetOf(held.snapshot, role.id), after })
    }
    return { ...shown(row, provider), is_working: true }
  })
}

/**
 * Deletes the group role, but not the role: members keep it.
 * @throws ApiError 403 for a role not below the caller's highest, 404 for a group role of another space
 */
export async function removeGroupRole(
  { database, providers }: GroupRoleDeps,
  access: SpaceAccess,
  id: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageRoles)
    const row = await findGroupRole(transaction, held.spaceId, id)
    if (row === undefined) throw new ApiError('unknown_group_role')
    accessRole(held, row.role_id)
    await deleteGroupRole(transaction, held.spaceId, id)
    const before = fieldsOf(row, providers.of(row.issuer))
    await record(transaction, held, 'group_role_delete', { ...targetOf(held.snapshot, row.role_id), before })
  })
}

function shown(
  { issuer, group_name: group, ...row }: GroupRoleRow,
  provider: Provider | undefined,
): Omit<GroupRole, 'is_working'> {
  const named = provider && { id: provider.settings.id, name: provider.settings.name }
  return { ...row, group, provider: named ?? null }
}

function targetOf({ roles }: SpaceSnapshot, id: string) {
  return { type: 'role', id, name: roles.get(id)?.name ?? null } as const
}

function fieldsOf({ group_name: group }: GroupRoleRow, provider: Provider | undefined) {
  return { group, provider: provider?.settings.name ?? null }
}
