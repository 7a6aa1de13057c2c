import { Capability } from '@foyer/protocol/capabilities'
import { MAX_PAGE, MAX_REACTIONS } from '@foyer/protocol/limits'
import { has } from '@foyer/protocol/permissions'
import { type ListReactionsQuery, type ReactionChange, unicodeEmoji } from '@foyer/protocol/reactions'
import type { User } from '@foyer/protocol/users'
import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, type Place, topicOfChannel } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { UUID, WRITTEN_UUID } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { targetOf } from '#src/messages/audit-target.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import { checkMayRemove } from '#src/messages/content-rights.ts'
import { findRow } from '#src/messages/queries.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { record } from '#src/spaces/actions/audit.ts'
import {
  countDown,
  countUp,
  deleteReaction,
  deleteReactionRows,
  hasEmoji,
  insertReaction,
  listReactorIds,
  mayUseEmoji,
  type ReactionKey,
  unmarkReactions,
} from './queries.ts'

export interface ReactionDeps {
  database: Database
}

/** A message and an emoji, as given in the request. */
export interface Target {
  messageId: string
  emoji: string
}

/**
 * Adds the caller's reaction. Adding it again changes nothing.
 * @throws ApiError 400 for an invalid emoji and above the limit of kinds, 404 for an unknown message or emoji, 403
 * without AddReactions for an emoji that the message does not have yet
 */
export async function addReaction(
  { database }: ReactionDeps,
  access: ChannelAccess,
  { messageId, emoji: text }: Target,
): Promise<void> {
  const emoji = emojiIn(text)
  if (UUID.test(emoji) && !(await isUsable(database, access, emoji))) throw new ApiError('unknown_emoji')
  const key = { place: access.place, messageId, emoji, userId: access.caller.user.id }
  await database.transaction(async (transaction) => {
    const { seq } = await holdMessage(transaction, key.place, messageId)
    if (!(await insertReaction(transaction, key))) return
    const { count, kinds } = await countUp(transaction, key)
    const mayBegin = has(access.capabilities, Capability.AddReactions)
    if (count === 1 && !mayBegin) throw new ApiError('missing_permission')
    if (kinds > MAX_REACTIONS) throw new ApiError('too_many_reactions')
    transaction.publish(
      event(topicOfChannel(key.place), 'MESSAGE_REACTION_ADD', { ...changeOf(key), seq, count }),
    )
  })
}

/** Removes a user's reaction, even if its emoji was deleted. A missing reaction is not an error. */
export async function removeReaction(
  { database }: ReactionDeps,
  access: ChannelAccess,
  { messageId, emoji: text }: Target,
  userId: string,
): Promise<void> {
  const { place, caller, room } = access
  checkMayRemove(access)
  const key = { place, messageId, emoji: emojiIn(text), userId }
  await database.transaction(async (transaction) => {
    const { seq } = await holdMessage(transaction, place, messageId)
    if (!(await deleteReaction(transaction, key))) return
    const count = await countDown(transaction, key)
    transaction.publish(
      event(topicOfChannel(place), 'MESSAGE_REACTION_REMOVE', { ...changeOf(key), seq, count }),
    )
    const before = { emoji: key.emoji, user_id: userId }
    if (room !== null && userId !== caller.user.id)
      await record(transaction, room, 'reaction_remove', { ...targetOf(place, { id: messageId }), before })
  })
}

/** Removes all reactions to a message. */
export async function clearReactions(
  { database }: ReactionDeps,
  { place, room }: ChannelAccess,
  messageId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { seq } = await holdMessage(transaction, place, messageId)
    if (!(await deleteReactionRows(transaction, place, [messageId]))) return
    await unmarkReactions(transaction, place, messageId)
    const cleared = { message_id: messageId, seq, ...channelOf(place), emoji: null }
    transaction.publish(event(topicOfChannel(place), 'MESSAGE_REACTION_CLEAR', cleared))
    if (room !== null) await record(transaction, room, 'reaction_clear', targetOf(place, { id: messageId }))
  })
}

/** Lists the users who reacted with the emoji, by id. */
export async function listReactors(
  { database }: ReactionDeps,
  { place }: ChannelAccess,
  { messageId, emoji: text }: Target,
  { after, limit = MAX_PAGE }: ListReactionsQuery,
): Promise<User[]> {
  const emoji = emojiIn(text)
  const message = await findRow(database, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  const ids = await listReactorIds(database, { place, messageId, emoji }, { after: after ?? null, limit })
  const users = await findUsers(database, ids)
  const byId = new Map(users.map((user) => [user.id, user]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Locks the message: changes of its reactions, and its deletion, wait. */
async function holdMessage(
  transaction: Queryable,
  place: Place,
  messageId: string,
): Promise<Pick<MessageRow, 'seq'>> {
  const message = await lockMessage(transaction, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

/** Returns the stored form: an id, or a normalised Unicode emoji. */
function emojiIn(text: string): string {
  const emoji = WRITTEN_UUID.test(text) ? text.toLowerCase() : unicodeEmoji(text)
  if (emoji === undefined) throw new ApiError('invalid_emoji')
  return emoji
}

/**
 * Returns true if the emoji may be used. A room allows the emojis of its space, a conversation those of all spaces that the
 * caller is in.
 */
function isUsable(database: Database, { room, caller }: ChannelAccess, emojiId: string): Promise<boolean> {
  return room === null
    ? mayUseEmoji(database, caller.user.id, emojiId)
    : hasEmoji(database, room.spaceId, emojiId)
}

function changeOf({ place, messageId, userId, emoji }: ReactionKey): Omit<ReactionChange, 'seq' | 'count'> {
  return { message_id: messageId, ...channelOf(place), user_id: userId, emoji }
}
