import type { Database } from '#src/kernel/database/database.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { removeMember } from '#src/spaces/actions/spaces.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { lockDue, type TemporaryMember } from './queries.ts'

/** Ends the membership, unless it has become permanent, or the user has been found connected since. */
export async function endTemporary(database: Database, member: TemporaryMember): Promise<void> {
  const { space_id: spaceId, user_id: userId } = member
  await database.transactionIn(spaceId, async (transaction) => {
    const space = await lockSpace(transaction, spaceId)
    if (space === undefined || !(await lockDue(transaction, member))) return
    await removeMember(transaction, spaceId, userId)
    await record(transaction, { spaceId }, 'member_leave', { type: 'user', id: userId })
  })
}
