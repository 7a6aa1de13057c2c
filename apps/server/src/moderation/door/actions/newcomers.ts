import type { DecidedNewcomers, LetInBody, RemoveNewcomersBody } from '@foyer/protocol/door'
import { Permission } from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import { revokeInvitesOf } from '#src/invites/actions.ts'
import { CLOCK_SKEW_MS, type Database, type Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { DELETE_MESSAGES_OF_USERS } from '#src/messages/jobs.ts'
import { banAll } from '#src/moderation/bans/actions.ts'
import { publishHeld } from '#src/moderation/screening/actions/consequences.ts'
import { deleteCaughtOf } from '#src/moderation/screening/held-queries.ts'
import { type HeldSpace, holdSpace, refusalOf, type SpaceAccess } from '#src/spaces/access.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'
import { endWaiting, publishDoor, publishWaitingEnd } from '#src/spaces/door/actions.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { LET_IN_NEWCOMERS } from '../jobs.ts'
import { deleteNewcomers, markLetIn, type TurnedAway } from '../queries.ts'

interface Deps {
  database: Database
}

/**
 * Lets newcomers in: a job makes them members. Newcomers who have left are deleted.
 * @throws ApiError 404 if none of them is a newcomer
 */
export async function letIn(
  { database }: Deps,
  access: SpaceAccess,
  { user_ids: userIds = null }: { user_ids?: LetInBody['user_ids'] | null },
): Promise<DecidedNewcomers> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'KickMembers')
    const { marked, forgotten } = await markLetIn(transaction, held.spaceId, userIds)
    if (marked.length + forgotten.length === 0) throw new ApiError('unknown_newcomer')
    await enqueueJob(transaction, LET_IN_NEWCOMERS, { space_id: held.spaceId })
    await publishDoor(transaction, held.spaceId)
    const decided = { user_ids: [...marked, ...forgotten] }
    await record(transaction, held, 'newcomers_let_in', {
      ...targetOf(held.snapshot.space),
      after: decided,
    })
    return decided
  })
}

/** @throws ApiError 403 without the permissions to remove newcomers and their messages */
export function checkMayRemove(access: SpaceAccess, { ban }: RemoveNewcomersBody): void {
  const needed = [Permission.ManageMessages, ...(ban ? (['BanMembers'] as const) : [])]
  if (!needed.every((right) => holds(access, right))) throw refusalOf(access)
}

/**
 * Turns newcomers away. A job deletes their messages in the space since they joined.
 * @throws ApiError with the errors of `checkMayRemove`, and 404 if none of them is a newcomer
 */
export async function removeNewcomers(
  { database }: Deps,
  access: SpaceAccess,
  body: RemoveNewcomersBody,
): Promise<DecidedNewcomers> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'KickMembers')
    checkMayRemove(held, body)
    const gone = await deleteNewcomers(transaction, held.spaceId, body.user_ids ?? null)
    if (gone.length === 0) throw new ApiError('unknown_newcomer')
    const userIds = gone.map(({ user_id }) => user_id)
    for (const { user_id, has_left } of gone)
      if (!has_left) publishWaitingEnd(transaction, held.spaceId, user_id)
    await revokeInvitesOf(transaction, held.spaceId, userIds)
    await deleteCaughtOf(transaction, held.spaceId, userIds)
    publishHeld(transaction, held.spaceId)
    if (body.ban) await banAll(transaction, held, userIds)
    await deleteMessagesOf(transaction, held, gone)
    await publishDoor(transaction, held.spaceId)
    const decided = { user_ids: userIds }
    await record(transaction, held, 'newcomers_remove', {
      ...targetOf(held.snapshot.space),
      after: { ...decided, banned: body.ban ?? false },
    })
    return decided
  })
}

async function deleteMessagesOf(
  transaction: Transaction,
  { spaceId }: HeldSpace,
  gone: readonly TurnedAway[],
): Promise<void> {
  const users = gone.flatMap(({ user_id, joined_at, was_member }) =>
    was_member ? [{ user_id, after: firstIdAt(Date.parse(joined_at) - CLOCK_SKEW_MS) }] : [],
  )
  const [after] = users.map((user) => user.after).sort()
  if (after === undefined) return
  const deletion = { space_id: spaceId, users, after, before: newId() }
  await enqueueJob(transaction, DELETE_MESSAGES_OF_USERS, deletion)
}

/**
 * Removes the caller from the newcomers who wait for a space.
 * @throws ApiError 404 if the caller does not wait for it
 */
export async function leaveDoor({ database }: Deps, { user }: Caller, spaceId: string): Promise<void> {
  await database.transactionIn(spaceId, async (transaction) => {
    const space = await lockSpace(transaction, spaceId)
    const waited = space !== undefined && (await endWaiting(transaction, spaceId, user.id))
    if (!waited) throw new ApiError('unknown_waiting_space')
  })
}
