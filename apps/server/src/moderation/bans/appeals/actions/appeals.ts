import type { Appeal, CreateAppealBody, DecideAppealBody } from '@foyer/protocol/reports'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { isBanned, lockSpace } from '#src/spaces/membership.ts'
import { liftBan } from '../../actions.ts'
import { findAppeal, findAppealOf, insertAppeal, saveAppeal } from '../queries.ts'
import { publishAppeals } from './ending.ts'

interface Deps {
  database: Database
}

/**
 * Asks the moderators of a space to lift the caller's ban. Possible once per ban.
 * @throws ApiError 404 for a user who is not banned, 409 after an earlier appeal against this ban
 */
export async function appeal(
  { database }: Deps,
  { user }: Caller,
  spaceId: string,
  { text }: CreateAppealBody,
): Promise<Appeal> {
  return database.transactionIn(spaceId, async (transaction) => {
    const space = await lockSpace(transaction, spaceId)
    if (space === undefined || !(await isBanned(transaction, spaceId, user.id)))
      throw new ApiError('unknown_ban')
    // Locked, because an account that is deleted at the same time must leave no appeal.
    const [asking] = await lockUsers(transaction, [user.id])
    if (asking === undefined) throw new ApiError('authentication_required')
    const isNew = await insertAppeal(transaction, { id: newId(), spaceId, userId: user.id, text })
    const saved = await findAppealOf(transaction, spaceId, user.id)
    if (!isNew || saved === undefined) throw new ApiError('already_appealed')
    publishAppeals(transaction, spaceId)
    return saved
  })
}

/**
 * Lifts or keeps the ban, and notifies the user.
 * @throws ApiError 404 for an unknown appeal, 409 for a decided one
 */
export async function decideAppeal(
  { database }: Deps,
  access: SpaceAccess,
  appealId: string,
  { accepted, answer }: DecideAppealBody,
): Promise<Appeal> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'BanMembers')
    const { spaceId, caller } = held
    const before = await findAppeal(transaction, spaceId, appealId)
    if (before === undefined) throw new ApiError('unknown_appeal')
    const state = accepted ? 'accepted' : 'refused'
    const decision = { state, answer: answer || null, decidedBy: caller.user.id } as const
    if (!(await saveAppeal(transaction, before, decision))) throw new ApiError('already_decided')
    const saved = (await findAppeal(transaction, spaceId, appealId)) ?? before
    // The accepted appeal stays until the user joins, so that they can read the answer.
    if (accepted) await liftBan(transaction, held, saved.user.id)
    else await record(transaction, held, 'appeal_refuse', { type: 'user', id: saved.user.id, after: saved })
    transaction.publish(event(topicOf.user(saved.user.id), 'APPEAL_UPDATE', saved))
    publishAppeals(transaction, spaceId)
    return saved
  })
}
