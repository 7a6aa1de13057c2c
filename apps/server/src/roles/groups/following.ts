import type { Member } from '@foyer/protocol/members'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Transaction } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { groupKey } from '#src/kernel/oidc/group-keys.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { loadSnapshot } from '#src/spaces/snapshots.ts'
import { publishMember } from '../actions/assignment.ts'
import { type Assignment, deleteMemberRole, insertMemberRole } from '../queries.ts'
import type { GroupRoleDeps } from './actions.ts'
import {
  hasNewGroups,
  isLatestLogin,
  listGivenRoles,
  listGroupRolesAt,
  listRolesOfOtherProviders,
  listSpacesOfGiven,
  listSpacesWithGroups,
  noteProvider,
  takeOverRoles,
} from './queries.ts'
import { mayGive, mayName } from './rights.ts'

/** A login with a provider that named the person's groups. */
const GroupLogin = Type.Object({
  user_id: Type.String(),
  issuer: Type.String(),
  /** Keys of those groups that have roles in the person's spaces. */
  groups: Type.Array(Type.String()),
  /** False if the groups are incomplete. */
  is_whole: Type.Boolean(),
  /** Time of the provider's answer, by the clock of the database. */
  at: Type.String(),
})

const Unlinked = Type.Object({ user_id: Type.String(), issuer: Type.String() })

/** Jobs that logins and unlinking enqueue, so that people do not wait for the locks of their spaces. */
export function groupRoleJobs(deps: GroupRoleDeps): JobTable {
  return {
    handlers: {
      follow_groups: async (payload) => {
        const { user_id: userId, groups, is_whole: isWhole, ...rest } = Parse(GroupLogin, payload)
        const login = { userId, isWhole, ...rest, groups: new Set(groups) }
        const spaceIds = await listSpacesWithGroups(deps.database, login)
        await inEach(spaceIds, (spaceId) => followIn(deps, spaceId, login))
      },
      take_group_roles: async (payload) => {
        const { user_id: userId, issuer } = Parse(Unlinked, payload)
        const spaceIds = await listSpacesOfGiven(deps.database, userId, issuer)
        await inEach(spaceIds, (spaceId) => takeIn(deps, spaceId, { userId, issuer }))
      },
    },
    schedule: [],
  }
}

/** Changes each space. If one fails, the others are still changed, and the job runs again. */
async function inEach(
  spaceIds: readonly string[],
  change: (spaceId: string) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  for (const spaceId of spaceIds) await change(spaceId).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'roles of some spaces could not follow groups')
}

interface Identity {
  userId: string
  issuer: string
}

interface Login extends Identity {
  at: string
  groups: ReadonlySet<string>
  isWhole: boolean
}

/** Gives a member the roles of their groups in one space, and removes the roles of groups that they are not in. */
async function followIn(deps: GroupRoleDeps, spaceId: string, login: Login): Promise<void> {
  const { userId, issuer } = login
  await deps.database.transactionIn(spaceId, async (transaction) => {
    if ((await lockSpace(transaction, spaceId)) === undefined) return
    // Checked under the lock, so that the later of two logins makes the last change.
    if (!(await isLatestLogin(transaction, login))) return
    const [member] = await findMembers(transaction, spaceId, [userId])
    if (member === undefined) return
    const decided = await decide(deps, transaction, spaceId, login)
    const others = await listRolesOfOtherProviders(transaction, { spaceId, userId }, issuer)
    for (const roleId of others) decided.delete(roleId)
    const roleIds = [...decided.keys()].filter((roleId) => decided.get(roleId))
    await takeOverRoles(transaction, { spaceId, userId, roleIds }, issuer)
    const changes = changesOf(member, decided)
    for (const change of changes) await apply(deps, transaction, { ...change, spaceId }, login)
    if (changes.length > 0) await publishMember(transaction, { spaceId, memberId: userId })
  })
}

/** Removes the roles that a member got from groups of an unlinked identity, in one space. */
async function takeIn(deps: GroupRoleDeps, spaceId: string, identity: Identity): Promise<void> {
  const { userId, issuer } = identity
  await deps.database.transactionIn(spaceId, async (transaction) => {
    if ((await lockSpace(transaction, spaceId)) === undefined) return
    // The identity was linked again, and a later login has already updated the roles.
    if (await hasNewGroups(transaction, userId, issuer)) return
    const roleIds = await listGivenRoles(transaction, { spaceId, userId }, issuer)
    for (const roleId of roleIds)
      await apply(deps, transaction, { roleId, isGiven: false, spaceId }, identity)
    if (roleIds.length > 0) await publishMember(transaction, { spaceId, memberId: userId })
  })
}

/** Returns the roles that the person's groups decide: true for a role to give, false for a role to remove. */
async function decide(
  { providers }: GroupRoleDeps,
  transaction: Transaction,
  spaceId: string,
  { groups, isWhole, ...login }: Login,
): Promise<Map<string, boolean>> {
  const provider = providers.of(login.issuer)
  const entries = await listGroupRolesAt(transaction, spaceId, login)
  const rows = entries.filter(({ group_name }) => mayName(provider, group_name))
  const setterIds = [...new Set(rows.map(({ set_by }) => set_by))]
  const setters = new Map<string, Member>()
  for (const each of await findMembers(transaction, spaceId, setterIds)) setters.set(each.user_id, each)
  const snapshot = await loadSnapshot(transaction, spaceId)
  const decided = new Map<string, boolean>()
  if (snapshot === undefined) return decided
  for (const { role_id, group_name, set_by } of rows) {
    // A group role is only given while its creator could assign the role by hand.
    if (!mayGive(snapshot, setters.get(set_by), role_id)) continue
    const isIn = groups.has(groupKey(group_name))
    // If not all groups are known, the person may still be in this one, so the role stays as it is.
    if (isIn || isWhole) decided.set(role_id, decided.get(role_id) === true || isIn)
  }
  return decided
}

interface RoleChange {
  roleId: string
  isGiven: boolean
}

function changesOf({ roles }: Member, decided: ReadonlyMap<string, boolean>): RoleChange[] {
  const changes: RoleChange[] = []
  for (const [roleId, isGiven] of decided)
    if (roles.includes(roleId) !== isGiven) changes.push({ roleId, isGiven })
  return changes
}

async function apply(
  { providers }: GroupRoleDeps,
  transaction: Transaction,
  { spaceId, roleId, isGiven }: RoleChange & { spaceId: string },
  { userId, issuer }: Identity,
): Promise<void> {
  const assignment: Assignment = { spaceId, memberId: userId, roleId }
  const target = { type: 'user', id: userId } as const
  const fields = { role_id: roleId, provider: providers.of(issuer)?.settings.name ?? null }
  if (isGiven) {
    await insertMemberRole(transaction, assignment)
    await noteProvider(transaction, assignment, issuer)
    await record(transaction, { spaceId }, 'role_assign', { ...target, after: fields })
  } else {
    await deleteMemberRole(transaction, assignment)
    await record(transaction, { spaceId }, 'role_remove', { ...target, before: fields })
  }
}
