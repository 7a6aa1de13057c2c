import { Permission } from '@foyer/protocol/permissions'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { accessRole, refuseEveryone } from '../access.ts'
import { type Assignment, deleteMemberRole, insertMemberRole, mendTopRole } from '../queries.ts'

interface Deps {
  database: Database
}

/**
 * Assigns the role. Publishes nothing if the member has it already.
 * @throws ApiError 404 for outsiders and roles of other spaces, 400 for @everyone, 403 for a role not below the
 *   caller's highest
 */
export async function assignRole(
  { database }: Deps,
  access: SpaceAccess,
  assignment: Assignment,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdAssignment(transaction, access, assignment)
    if (!(await insertMemberRole(transaction, assignment))) return
    await publishMember(transaction, assignment)
    await record(transaction, held, 'role_assign', { ...targetOf(assignment), after: roleOf(assignment) })
  })
}

/**
 * Removes the role from the member. Publishes nothing if the member does not have it.
 * @throws ApiError with the errors of `assignRole`
 */
export async function removeRole(
  { database }: Deps,
  access: SpaceAccess,
  assignment: Assignment,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdAssignment(transaction, access, assignment)
    if (!(await deleteMemberRole(transaction, assignment))) return
    await publishMember(transaction, assignment)
    await record(transaction, held, 'role_remove', { ...targetOf(assignment), before: roleOf(assignment) })
  })
}

const { ManageRoles } = Permission

async function holdAssignment(
  transaction: Transaction,
  access: SpaceAccess,
  { memberId, roleId }: Assignment,
): Promise<HeldSpace> {
  const held = await holdSpace(transaction, access, ManageRoles)
  const members = await findMembers(transaction, held.spaceId, [memberId])
  if (members.length === 0) throw new ApiError('unknown_member')
  refuseEveryone(held, roleId)
  accessRole(held, roleId)
  return held
}

function targetOf({ memberId }: Assignment) {
  return { type: 'user', id: memberId } as const
}

function roleOf({ roleId }: Assignment) {
  return { role_id: roleId }
}

/** Publishes a member whose roles have changed. */
export async function publishMember(
  transaction: Transaction,
  assignment: Pick<Assignment, 'spaceId' | 'memberId'>,
): Promise<void> {
  const { spaceId, memberId } = assignment
  await mendTopRole(transaction, assignment)
  const [member] = await findMembers(transaction, spaceId, [memberId])
  if (member === undefined) throw new Error('a member whose roles just changed cannot be read')
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_UPDATE', member))
}
