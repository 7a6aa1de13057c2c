import { randomBytes } from 'node:crypto'
import type { CurrentUser, UpdateCurrentUserBody } from '@foyer/protocol/users'
import { nextImage, replaceImages } from '#src/files/images/actions.ts'
import type { NewImages } from '#src/files/images/fields.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { encodeEvent, ownUserUpdate } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { checkBirthdate } from './birthdate.ts'
import {
  anonymiseUser,
  clearEndedText,
  isAppliedFor,
  listConversationIdsOf,
  listFriendIdsOf,
  listSpaceIdsOf,
  lockCurrentUser,
  saveMemberNames,
  updateUser,
} from './queries.ts'
import { planTextEnd, textOf } from './status-text.ts'

/**
 * Changes the given fields; null clears a field.
 * @param images stored images that are not shown yet
 * @throws ApiError 400 for a taken username, and for an image that is neither one of these nor the current one
 */
export async function updateCurrentUser(
  database: Database,
  { id }: CurrentUser,
  changes: UpdateCurrentUserBody,
  images: NewImages = {},
): Promise<CurrentUser> {
  checkBirthdate(changes.birthdate)
  try {
    return await database.transaction(async (transaction) => {
      const user = await lockCurrentUser(transaction, id)
      if (user === undefined) throw new ApiError('authentication_required')
      if (changes.username !== undefined && (await isAppliedFor(transaction, changes.username)))
        throw new ApiError('username_taken')
      const shown = { ...withImages(user, changes, images), ...textOf(user, changes) }
      const updated = await updateUser(transaction, id, shown)
      if (user.username !== updated.username || user.alias !== updated.alias)
        await saveMemberNames(transaction, id)
      await replaceImages(transaction, id, [user.avatar, user.banner], [updated.avatar, updated.banner])
      await planTextEnd(transaction, user, updated)
      if (user.web_presence !== updated.web_presence)
        await enqueueJob(transaction, 'log_user_again', { user_id: id }, `log again ${id}`)
      await publishUserUpdate(transaction, updated)
      return updated
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_username') ? new ApiError('username_taken') : error
  }
}

/** Clears the expired status text of a user. */
export async function endStatusText(database: Database, userId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const user = await clearEndedText(transaction, userId)
    if (user !== undefined) await publishUserUpdate(transaction, user)
  })
}

/** Publishes a change of the user to themselves, and its public part to their friends, spaces and conversations. */
export async function publishUserUpdate(transaction: Transaction, user: CurrentUser): Promise<void> {
  const friendIds = await listFriendIdsOf(transaction, user.id)
  const spaceIds = await listSpaceIdsOf(transaction, user.id)
  const conversationIds = await listConversationIdsOf(transaction, user.id)
  publishTo(transaction, user, [
    ...friendIds.map(topicOf.user),
    ...spaceIds.map(topicOf.space),
    ...conversationIds.map(topicOf.conversation),
  ])
}

/**
 * Removes everything personal from the user. Messages keep an author with a random name.
 * @param spaceIds spaces to notify, which the user may have left already
 * @returns false for a user deleted before
 */
export async function anonymise(
  transaction: Transaction,
  userId: string,
  spaceIds: readonly string[],
): Promise<boolean> {
  const user = await anonymiseUser(transaction, userId, newAnonymousName())
  if (user === undefined) return false
  const conversationIds = await listConversationIdsOf(transaction, userId)
  publishTo(transaction, user, [...spaceIds.map(topicOf.space), ...conversationIds.map(topicOf.conversation)])
  return true
}

function withImages(user: CurrentUser, changes: UpdateCurrentUserBody, images: NewImages) {
  return {
    ...changes,
    avatar: nextImage(user.avatar, changes.avatar, images.avatar),
    banner: nextImage(user.banner, changes.banner, images.banner),
  }
}

function publishTo(transaction: Transaction, user: CurrentUser, topics: readonly Topic[]): void {
  transaction.publish(ownUserUpdate(user))
  const data = encodeEvent('USER_UPDATE', user)
  for (const topic of topics) transaction.publish({ topic, name: 'USER_UPDATE', data })
}

/** Returns a random name. A name made from the id could be registered beforehand to prevent the deletion. */
function newAnonymousName(): string {
  return `deleted_${randomBytes(12).toString('hex')}`
}
