import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { screenJoining } from '#src/moderation/screening/names.ts'
import { findUsers, lockUsers } from '#src/people/users/queries.ts'
import { checkNotFrozen } from '#src/spaces/access.ts'
import { addMember } from '#src/spaces/actions/spaces.ts'
import { publishDoor, publishWaitingEnd } from '#src/spaces/door/actions.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { deleteNewcomers, findEntering, markTrusted, unmarkLetIn } from '../queries.ts'

/** Errors of joining after which a newcomer keeps waiting, until the newcomer or the space changes something. */
const WAITING: readonly string[] = ['too_many_spaces', 'automod_refused', 'space_frozen']

/**
 * Makes a newcomer a member after a moderator let them in. Newcomers who are in too many spaces, or whose names a rule
 * refuses, continue to wait, and so do all newcomers of a frozen space.
 */
export async function enter(deps: ScreeningDeps, spaceId: string, userId: string): Promise<void> {
  try {
    const [user] = await findUsers(deps.database, [userId])
    if (user !== undefined && (await deps.screening.hasRules(spaceId)))
      await screenJoining(deps, spaceId, user)
    await deps.database.transactionIn(spaceId, (transaction) => admit(transaction, spaceId, userId))
  } catch (error) {
    if (!(error instanceof ApiError) || !WAITING.includes(error.code)) throw error
    await deps.database.transactionIn(spaceId, async (transaction) => {
      await lockSpace(transaction, spaceId)
      await unmarkLetIn(transaction, spaceId, userId)
      await publishDoor(transaction, spaceId)
    })
  }
}

async function admit(transaction: Transaction, spaceId: string, userId: string): Promise<void> {
  const space = await lockSpace(transaction, spaceId)
  const [user] = space === undefined ? [] : await lockUsers(transaction, [userId])
  const entering = user && (await findEntering(transaction, spaceId, userId))
  if (space === undefined || user === undefined || entering === undefined) return
  checkNotFrozen(space)
  await addMember(transaction, spaceId, user, entering.is_temporary)
  await markTrusted(transaction, spaceId, userId)
  await deleteNewcomers(transaction, spaceId, [userId])
  publishWaitingEnd(transaction, spaceId, userId)
}
