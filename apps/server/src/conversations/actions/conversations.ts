import {
  type Conversation,
  ConversationType,
  type CreateConversationBody,
  type UpdateConversationBody,
} from '@foyer/protocol/conversations'
import type { User } from '@foyer/protocol/users'
import { nextImage, replaceImages } from '#src/files/images/actions.ts'
import type { NewImages } from '#src/files/images/fields.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { type ConversationAccess, holdGroup } from '../access.ts'
import { insertConversation, insertDirect, insertMembers, markOpen, saveGroup } from '../change-queries.ts'
import { findDirectId } from '../queries.ts'
import { checkApproachable, checkGroupCounts, checkPeople } from '../recipients.ts'
import { listFor, listForLate, readConversation } from './listing.ts'

interface Deps {
  database: Database
}

/**
 * Opens the direct conversation with one other user, existing or new, or creates a group with several.
 * @throws ApiError 400 for oneself, 404 for a user that does not exist, 403 for a stranger, a blocked user, and a bot
 *   in a group
 */
export async function createConversation(
  { database }: Deps,
  { user }: Caller,
  { recipient_ids, name }: CreateConversationBody,
): Promise<Conversation> {
  const otherIds = [...new Set(recipient_ids)]
  if (otherIds.includes(user.id)) throw new ApiError('conversing_with_oneself')
  return database.transaction(async (transaction) => {
    const others = await lockParties(transaction, user, otherIds)
    const [other] = others
    if (others.length === 1 && other !== undefined) return openDirect(transaction, user, other)
    return createGroup(transaction, user, others, name ?? null)
  })
}

/**
 * Changes the given fields; null clears a field. Publishes nothing if nothing changed.
 * @param images stored images that are not shown yet
 * @throws ApiError 400 for an image that is neither in `images` nor the current image, 403 for a transfer by a
 *   non-owner, 404 for a new owner who is not a member
 */
export async function updateGroup(
  { database }: Deps,
  access: ConversationAccess,
  body: UpdateConversationBody,
  images: NewImages = {},
): Promise<Conversation> {
  return database.transaction(async (transaction) => {
    const held = await holdGroup(transaction, access)
    const before = await readConversation(transaction, held.id)
    checkNewOwner(held, body.owner_id)
    const after = {
      ...before,
      name: body.name === undefined ? before.name : body.name,
      icon: nextImage(before.icon, body.icon, images.icon),
      owner_id: body.owner_id ?? before.owner_id,
    }
    const isSame = (['name', 'icon', 'owner_id'] as const).every((field) => before[field] === after[field])
    if (isSame) return before
    await saveGroup(transaction, after)
    await replaceImages(transaction, held.id, [before.icon], [after.icon])
    transaction.publish(event(topicOf.conversation(held.id), 'CONVERSATION_UPDATE', after))
    return after
  })
}

/**
 * Locks all users, always in the same order to avoid deadlocks. Until the transaction ends, their relations and
 * accounts cannot change.
 * @returns the other users
 */
async function lockParties(transaction: Transaction, { id }: User, otherIds: string[]): Promise<User[]> {
  const users = await lockUsers(transaction, [id, ...otherIds])
  if (!users.some((user) => user.id === id)) throw new ApiError('authentication_required')
  if (users.length < otherIds.length + 1) throw new ApiError('unknown_user')
  return users.filter((user) => user.id !== id)
}

/** Returns an existing conversation even if the users may no longer start one, so that its history stays readable. */
async function openDirect(transaction: Transaction, user: User, other: User): Promise<Conversation> {
  const known = await findDirectId(transaction, user.id, other.id)
  if (known !== undefined) return listAgain(transaction, known, user.id)
  if (user.is_bot && other.is_bot) throw new ApiError('cannot_converse')
  await checkApproachable(transaction, user.id, [other.id])
  const id = newId()
  await insertConversation(transaction, { id, type: ConversationType.Direct, name: null, ownerId: null })
  await insertDirect(transaction, id, user.id, other.id)
  const conversation = await readConversation(transaction, id)
  listFor(transaction, [user.id], conversation)
  return conversation
}

async function listAgain(transaction: Transaction, id: string, userId: string): Promise<Conversation> {
  const reopenedFor = await markOpen(transaction, id, [userId])
  const conversation = await readConversation(transaction, id)
  await listForLate(transaction, reopenedFor, conversation)
  return conversation
}

async function createGroup(
  transaction: Transaction,
  user: User,
  others: readonly User[],
  name: string | null,
): Promise<Conversation> {
  checkPeople([user, ...others])
  const otherIds = others.map(({ id }) => id)
  const memberIds = [user.id, ...otherIds]
  await checkApproachable(transaction, user.id, otherIds)
  await checkGroupCounts(transaction, memberIds)
  const id = newId()
  await insertConversation(transaction, { id, type: ConversationType.Group, name, ownerId: user.id })
  await insertMembers(transaction, id, memberIds)
  const conversation = await readConversation(transaction, id)
  listFor(transaction, memberIds, conversation)
  return conversation
}

function checkNewOwner({ ownerId, caller, memberIds }: ConversationAccess, newOwnerId: string | undefined) {
  if (newOwnerId === undefined || newOwnerId === ownerId) return
  if (ownerId !== caller.user.id) throw new ApiError('group_owner_only')
  if (!memberIds.includes(newOwnerId)) throw new ApiError('unknown_member')
}
