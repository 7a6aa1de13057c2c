import type { AnswerMessage } from '@foyer/protocol/interactions'
import { type Message, MessageFlag, type MessageInteraction, MessageType } from '@foyer/protocol/messages'
import { accessChannel, type ChannelAccess } from '#src/channels/access.ts'
import { roomOf } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Author } from '#src/messages/authors.ts'
import { checkParts } from '#src/messages/content-rights.ts'
import { emptyContents } from '#src/messages/contents.ts'
import { draftMessage } from '#src/messages/draft.ts'
import type { EditDeps } from '#src/messages/editing.ts'
import { checkComponents, toEmbeds } from '#src/messages/embeds.ts'
import { resolveMentions } from '#src/messages/mentions.ts'
import type { Post } from '#src/messages/posting.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { screen } from '#src/moderation/screening/actions/consequences.ts'
import { countMentions, textsOf, writerOf } from '#src/moderation/screening/written.ts'
import { findCurrentUser } from '#src/people/users/queries.ts'
import { checkNotFrozen } from '#src/spaces/access.ts'
import { isThere } from './presence.ts'
import { findInteraction, type InteractionRow } from './queries.ts'
import type { InteractionTokens } from './tokens.ts'

export interface AnswerDeps extends SendDeps, EditDeps {
  interactionTokens: InteractionTokens
}

/** Flags that a bot may set. */
const SETTABLE_FLAGS = MessageFlag.SuppressEmbeds | MessageFlag.SuppressNotifications | MessageFlag.Ephemeral

/**
 * Returns the interaction that the token belongs to.
 * @throws ApiError 404 if the token is wrong, 400 if the interaction has expired or its bot is locked
 */
export async function accessInteraction(
  { database, interactionTokens }: AnswerDeps,
  { interactionId, token }: { interactionId: string; token: string },
): Promise<InteractionRow> {
  if (!interactionTokens.isTokenOf(interactionId, token)) throw new ApiError('unknown_interaction')
  const row = await findInteraction(database, interactionId)
  if (row === undefined || row.state === 'failed') throw new ApiError('interaction_expired')
  return row
}

/**
 * Like `accessInteraction`, but for follow-ups.
 * @throws ApiError 400 before the first answer
 */
export async function accessToFollowUp(
  deps: AnswerDeps,
  params: { interactionId: string; token: string },
): Promise<InteractionRow> {
  const row = await accessInteraction(deps, params)
  if (row.state !== 'answered') throw new ApiError('interaction_unanswered')
  return row
}

/**
 * Access of the bot to the interaction's channel, while both bot and invoker may view it.
 * @param permission bits that the bot needs there, besides ViewChannels
 */
export async function enterAsBot(
  deps: AnswerDeps,
  { application_id, user_id, interaction }: InteractionRow,
  permission = 0,
): Promise<ChannelAccess> {
  const user = await findCurrentUser(deps.database, application_id)
  if (user === undefined) throw new ApiError('interaction_expired')
  const { room_id: roomId, conversation_id } = interaction
  const params = roomId === null ? { conversationId: conversation_id ?? '' } : { roomId }
  const access = await accessChannel(deps, { kind: 'bot', user }, params, permission)
  if (access.room !== null) checkNotFrozen(access.room.snapshot.space)
  if (!(await isThere(deps.snapshots, access, user_id))) throw new ApiError('asker_gone')
  return access
}

/** Content of a bot's answer, in the form that posting takes. */
export type AnswerContent = Required<Pick<Post, 'content' | 'embeds' | 'components' | 'flags' | 'mentions'>>

/**
 * @throws ApiError 400 for content that messages do not allow, 403 for public embeds without EmbedLinks, and for
 * content that a rule of the space refuses
 */
export async function readContent(
  deps: AnswerDeps,
  access: ChannelAccess,
  data: AnswerMessage,
): Promise<AnswerContent> {
  const flags = data.flags ?? 0
  if (flags & ~SETTABLE_FLAGS) throw new ApiError('invalid_request', 'flags has bits that cannot be set')
  const content = data.content ?? ''
  const embeds = toEmbeds(data.embeds)
  const components = checkComponents(data.components)
  if (content === '' && embeds.length + components.length === 0) throw new ApiError('empty_message')
  if (!isEphemeral({ flags })) checkParts(access, { embeds })
  const mentions = await resolveMentions(deps, access, { content, allowed: data.allowed_mentions })
  await screenAnswer(deps, access, { content, embeds, components, mentions })
  return { content, embeds, components, flags, mentions }
}

/** @throws ApiError 403 if a rule of the space refuses the answer, or a change of it */
export async function screenAnswer(
  deps: AnswerDeps,
  { room, place }: ChannelAccess,
  {
    mentions,
    ...shown
  }: Pick<Partial<AnswerContent>, 'content' | 'embeds' | 'mentions'> & { components?: unknown },
): Promise<void> {
  if (room === null) return
  const where = { spaceId: place.tenantId, roomId: roomOf(place), source: 'bot_answer' } as const
  const count = mentions === undefined ? 0 : countMentions(mentions)
  await screen(deps, { ...where, writer: writerOf(room), texts: textsOf(shown), mentions: count })
}

export function isEphemeral({ flags }: { flags: number }): boolean {
  return (flags & MessageFlag.Ephemeral) !== 0
}

/** Returns the answer as a message to post. */
export function postOf(row: InteractionRow, answer: Partial<AnswerContent>): Post {
  return { ...answer, type: MessageType.InteractionResponse, interaction: interactionOf(row) }
}

/** Returns the answer as an ephemeral message, which has no `seq` in the channel. */
export function ephemeralOf(
  { downloads }: AnswerDeps,
  { row, access }: { row: InteractionRow; access: ChannelAccess },
  answer: Partial<AnswerContent>,
): Message {
  const to = { place: access.place, author: authorOf(access) }
  const contents = { ...emptyContents, ...answer }
  const extras = { type: MessageType.InteractionResponse, interaction: interactionOf(row) }
  return { ...draftMessage(downloads, to, { contents, files: [] }, extras).message, seq: 0 }
}

export function authorOf({ caller, member }: ChannelAccess): Author {
  return { user: caller.user, member, applicationId: caller.user.id }
}

function interactionOf({ id, interaction }: InteractionRow): MessageInteraction {
  const { type, command, user } = interaction
  return { id, type, name: command?.name ?? '', user }
}
