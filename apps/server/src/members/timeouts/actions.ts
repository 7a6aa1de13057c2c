import { MAX_TIMEOUT_DAYS } from '@foyer/protocol/limits'
import type { Timeout, TimeoutBody } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { publishTimeout } from '#src/spaces/actions/timeouts.ts'
import { findMemberBelow } from '#src/spaces/hierarchy.ts'
import { endTimeout } from '#src/spaces/membership.ts'
import { findTimeout, saveTimeout } from '#src/spaces/timeouts.ts'

interface Deps {
  database: Database
}

const DAY_MS = 86_400_000

/**
 * Times a member out, who then can only read and listen until the given time. A later call replaces the timeout.
 * @throws ApiError 400 for a time that is past or too far away, 404 for a user who is not a member, 403 for a member that
 *   the caller does not outrank
 */
export async function timeOut(
  { database }: Deps,
  access: SpaceAccess,
  memberId: string,
  { until, reason }: TimeoutBody,
): Promise<Timeout> {
  const end = endOf(until)
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'TimeoutMembers')
    const member = await findMemberBelow(transaction, held, memberId)
    const before = await findTimeout(transaction, held.spaceId, memberId)
    const timeout = await saveTimeout(transaction, {
      space_id: held.spaceId,
      user_id: memberId,
      until: end,
      reason: reason || null,
      moderator_id: held.caller.user.id,
    })
    publishTimeout(transaction, member, timeout.until)
    const target = { type: 'user', id: memberId } as const
    await record(transaction, held, 'timeout_create', { ...target, before, after: timeout, reason })
    return timeout
  })
}

/**
 * Ends a member's timeout.
 * @throws ApiError 404 for a user who is not a member or not timed out, 403 for a member that the caller does not outrank
 */
export async function liftTimeout({ database }: Deps, access: SpaceAccess, memberId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'TimeoutMembers')
    const member = await findMemberBelow(transaction, held, memberId)
    const before = await findTimeout(transaction, held.spaceId, memberId)
    if (before === undefined) throw new ApiError('unknown_timeout')
    await endTimeout(transaction, held.spaceId, memberId)
    publishTimeout(transaction, member, null)
    await record(transaction, held, 'timeout_delete', { type: 'user', id: memberId, before })
  })
}

/** @throws ApiError 404 for a user who is not timed out */
export async function accessTimeout(
  database: Queryable,
  { spaceId }: SpaceAccess,
  memberId: string,
): Promise<Timeout> {
  const timeout = await findTimeout(database, spaceId, memberId)
  if (timeout === undefined) throw new ApiError('unknown_timeout')
  return timeout
}

function endOf(until: string): string {
  const end = Date.parse(until)
  const isAllowed = end > Date.now() && end <= Date.now() + MAX_TIMEOUT_DAYS * DAY_MS
  if (!isAllowed)
    throw new ApiError('invalid_request', `until must be within the next ${MAX_TIMEOUT_DAYS} days`)
  return new Date(end).toISOString()
}
