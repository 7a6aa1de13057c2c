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
  isLatestLogin,
  listGroupRoles,
  listRolesOfOtherProviders,
  listSpacesWithGroups,
  noteProvider,
} from './queries.ts'
import { mayGive } from './rights.ts'

/** A log-in by a provider that said which groups the person is in. */
const GroupLogin = Type.Object({
  user_id: Type.String(),
  issuer: Type.String(),
  /** Keys of the groups, as far as any space names them. */
  groups: Type.Array(Type.String()),
  /** The number of the log-in, of those of the identity. */
  number: Type.Integer(),
})

/** The log-in enqueues it: who logs in does not wait for the locks of their spaces. */
export function groupRoleJobs(deps: GroupRoleDeps): JobTable {
  return {
    handlers: {
      follow_groups: async (payload) => {
        const { user_id: userId, issuer, groups, number } = Parse(GroupLogin, payload)
        const login = { userId, issuer, number, groups: new Set(groups) }
        for (const spaceId of await listSpacesWithGroups(deps.database, userId, issuer))
          await followIn(deps, spaceId, login)
      },
    },
    schedule: [],
  }
}

interface Login {
  userId: string
  issuer: string
  number: number
  groups: ReadonlySet<string>
}

/** Gives a member the roles of their groups in one space, and takes those of groups that they are not in. */
async function followIn(deps: GroupRoleDeps, spaceId: string, login: Login): Promise<void> {
  await deps.database.transactionIn(spaceId, async (transaction) => {
    if ((await lockSpace(transaction, spaceId)) === undefined) return
    // Under the lock, so that of two log-ins the later one is the last to change anything.
    if (!(await isLatestLogin(transaction, login))) return
    const [member] = await findMembers(transaction, spaceId, [login.userId])
    if (member === undefined) return
    const decided = await decide(transaction, spaceId, login)
    const others = await listRolesOfOtherProviders(
      transaction,
      { spaceId, userId: login.userId },
      login.issuer,
    )
    const changes = changesOf(member, decided, others)
    for (const change of changes) await apply(deps, transaction, { ...change, spaceId }, login)
    if (changes.length > 0) await publishMember(transaction, { spaceId, memberId: login.userId })
  })
}

/** Returns the roles about which groups decide now, and whether the person is in one of their groups. */
async function decide(
  transaction: Transaction,
  spaceId: string,
  { issuer, groups }: Login,
): Promise<Map<string, boolean>> {
  const rows = (await listGroupRoles(transaction, spaceId)).filter((row) => row.issuer === issuer)
  const setterIds = [...new Set(rows.map(({ set_by }) => set_by))]
  const setters = new Map<string, Member>()
  for (const each of await findMembers(transaction, spaceId, setterIds)) setters.set(each.user_id, each)
  const snapshot = await loadSnapshot(transaction, spaceId)
  const decided = new Map<string, boolean>()
  if (snapshot === undefined) return decided
  for (const { role_id, group_name, set_by } of rows) {
    // Nobody gives by a group what they could not give by hand, also if that has changed since.
    if (!mayGive(snapshot, setters.get(set_by), role_id)) continue
    decided.set(role_id, decided.get(role_id) === true || groups.has(groupKey(group_name)))
  }
  return decided
}

interface RoleChange {
  roleId: string
  isGiven: boolean
}

/** @param others roles of which another provider decides whether the member keeps them */
function changesOf(
  { roles }: Member,
  decided: ReadonlyMap<string, boolean>,
  others: ReadonlySet<string>,
): RoleChange[] {
  const changes: RoleChange[] = []
  for (const [roleId, isGiven] of decided) {
    const isChange = roles.includes(roleId) !== isGiven
    if (isChange && !others.has(roleId)) changes.push({ roleId, isGiven })
  }
  return changes
}

async function apply(
  { providers }: GroupRoleDeps,
  transaction: Transaction,
  { spaceId, roleId, isGiven }: RoleChange & { spaceId: string },
  { userId, issuer }: Login,
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
