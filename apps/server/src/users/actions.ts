import { randomBytes } from 'node:crypto'
import type { CurrentUser, UpdateCurrentUserBody } from '@foyer/protocol/users'
import { type Bus, topicOf } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { encodeEvent, event, ownUserUpdate } from '#src/kernel/events.ts'
import { announceSessionEnd } from '#src/kernel/session-events.ts'
import { isUniqueViolation } from '#src/kernel/unique-violation.ts'
import { checkBirthdate } from './birthdate.ts'
import { checkPassword, type PasswordCheckDeps } from './password-check.ts'
import {
  anonymiseUser,
  deleteMailTokensOf,
  deleteMemberships,
  deleteSessionsOf,
  listFriendIdsOf,
  listSpaceIdsOf,
  ownsSpaces,
  updateUser,
} from './queries.ts'

/** Changes the fields that are given; null clears. */
export async function updateCurrentUser(
  database: Database,
  user: CurrentUser,
  changes: UpdateCurrentUserBody,
): Promise<CurrentUser> {
  checkBirthdate(changes.birthdate)
  try {
    return await database.transaction(async (transaction) => {
      const updated = await updateUser(transaction, user.id, changes)
      if (updated === undefined) throw new ApiError('authentication_required')
      await publishUserUpdate(transaction, updated)
      return updated
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_username') ? new ApiError('username_taken') : error
  }
}

/** Tells a change of the user to themselves, and what is public of it to their friends and the spaces they are a member of. */
export async function publishUserUpdate(transaction: Transaction, user: CurrentUser): Promise<void> {
  const friendIds = await listFriendIdsOf(transaction, user.id)
  const spaceIds = await listSpaceIdsOf(transaction, user.id)
  transaction.publish(ownUserUpdate(user))
  const data = encodeEvent('USER_UPDATE', user)
  for (const topic of [...friendIds.map(topicOf.user), ...spaceIds.map(topicOf.space)]) {
    transaction.publish({ topic, name: 'USER_UPDATE', data })
  }
}

/**
 * Deletes the account: nobody can sign in to it again, nothing personal of it remains, and its messages stand under a
 * name that says nothing.
 * @throws ApiError 400 for a wrong password, or while the user owns a space, which would be left without anybody in charge
 */
export async function deleteAccount(
  deps: PasswordCheckDeps & { bus: Bus },
  userId: string,
  password: string,
): Promise<void> {
  await checkPassword(deps, userId, password)
  const sessionIds = await deps.database.transaction(async (transaction) => {
    // Mail tokens before users: the order in which the links of mails lock them.
    await deleteMailTokensOf(transaction, userId)
    const user = await anonymiseUser(transaction, userId, newAnonymousName())
    if (user === undefined) throw new ApiError('authentication_required')
    if (await ownsSpaces(transaction, userId)) throw new ApiError('owns_spaces')
    await publishUserUpdate(transaction, user)
    await leaveSpaces(transaction, userId)
    return deleteSessionsOf(transaction, userId, undefined)
  })
  announceSessionEnd(deps.bus, userId, sessionIds)
}

/** Random: a name made of the id could be taken beforehand by who wants to hinder the deletion. */
function newAnonymousName(): string {
  return `deleted_${randomBytes(12).toString('hex')}`
}

async function leaveSpaces(transaction: Transaction, userId: string): Promise<void> {
  for (const spaceId of await deleteMemberships(transaction, userId)) {
    const gone = { space_id: spaceId, user_id: userId }
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_DELETE', gone))
  }
}
