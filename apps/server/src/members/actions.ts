import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { removeMember } from '#src/spaces/actions.ts'
import { lockSpace } from '#src/spaces/membership.ts'

/** Ends the caller's own membership. Their messages stay; so do overwrites that name them, so that coming back lifts none. */
export async function leaveSpace({ database }: { database: Database }, access: SpaceAccess): Promise<void> {
  const { caller, spaceId } = access
  await database.transaction(async (transaction) => {
    const space = await lockSpace(transaction, spaceId)
    if (space?.owner_id === caller.user.id) throw new ApiError('owner_cannot_leave')
    const removed = await removeMember(transaction, spaceId, caller.user.id)
    if (!removed) throw new ApiError('not_a_member')
  })
}
