import type { AnswerMessage } from '@foyer/protocol/interactions'
import { type Message, MessageFlag, type MessageInteraction, MessageType } from '@foyer/protocol/messages'
import { accessChannel, type ChannelAccess } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Author } from '#src/messages/authors.ts'
import { nothingSaid } from '#src/messages/contents.ts'
import { draftMessage } from '#src/messages/draft.ts'
import type { EditDeps } from '#src/messages/editing.ts'
import { checkComponents, toEmbeds } from '#src/messages/embeds.ts'
import { resolveMentions } from '#src/messages/mentions.ts'
import type { Post } from '#src/messages/posting.ts'
import type { SendDeps } from '#src/messages/sending.ts'
import { findCurrentUser } from '#src/users/queries.ts'
import { isThere } from './presence.ts'
import { findInteraction, type InteractionRow } from './queries.ts'
import type { InteractionTokens } from './tokens.ts'

export interface AnswerDeps extends SendDeps, EditDeps {
  interactionTokens: InteractionTokens
}

/** Flags that a bot sets itself. */
const SETTABLE_FLAGS = MessageFlag.SuppressEmbeds | MessageFlag.SuppressNotifications | MessageFlag.Ephemeral

/**
 * The interaction that the token proves a right to.
 * @throws ApiError 404 for a token that is not the interaction's, 400 when its time is over
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

/** The same, for what comes behind the answer. @throws ApiError 400 before there is one */
export async function accessToFollowUp(
  deps: AnswerDeps,
  params: { interactionId: string; token: string },
): Promise<InteractionRow> {
  const row = await accessInteraction(deps, params)
  if (row.state !== 'answered') throw new ApiError('interaction_unanswered')
  return row
}

/**
 * The bot where it was asked: as long as it is there, and who asked is, too.
 * @param permission bits that the bot must have there, besides ViewChannels
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
  if (!(await isThere(deps.snapshots, access, user_id))) throw new ApiError('asker_gone')
  return access
}

/** What a bot says with an answer, in the form in which messages are posted. */
export type Said = Required<Pick<Post, 'content' | 'embeds' | 'components' | 'flags' | 'mentions'>>

/** @throws ApiError 400 for what cannot be said so */
export async function readSaid(deps: AnswerDeps, access: ChannelAccess, data: AnswerMessage): Promise<Said> {
  const flags = data.flags ?? 0
  if (flags & ~SETTABLE_FLAGS) throw new ApiError('invalid_request', 'flags has bits that cannot be set')
  const content = data.content ?? ''
  const embeds = toEmbeds(data.embeds)
  const components = checkComponents(data.components)
  if (content === '' && embeds.length + components.length === 0) throw new ApiError('empty_message')
  const mentions = await resolveMentions(deps, access, { content, allowed: data.allowed_mentions })
  return { content, embeds, components, flags, mentions }
}

export function isEphemeral({ flags }: { flags: number }): boolean {
  return (flags & MessageFlag.Ephemeral) !== 0
}

/** The answer as a message that is posted. */
export function postOf(row: InteractionRow, said: Partial<Said>): Post {
  return { ...said, type: MessageType.InteractionResponse, interaction: interactionOf(row) }
}

/** The answer as a message that one person alone sees: it has no place among the others. */
export function ephemeralOf(
  { downloads }: AnswerDeps,
  { row, access }: { row: InteractionRow; access: ChannelAccess },
  said: Partial<Said>,
): Message {
  const to = { place: access.place, author: authorOf(access) }
  const contents = { ...nothingSaid, ...said }
  const circumstances = { type: MessageType.InteractionResponse, interaction: interactionOf(row) }
  return { ...draftMessage(downloads, to, { contents, files: [] }, circumstances).message, seq: 0 }
}

export function authorOf({ caller, member }: ChannelAccess): Author {
  return { user: caller.user, member, applicationId: caller.user.id }
}

function interactionOf({ id, interaction }: InteractionRow): MessageInteraction {
  const { type, command, user } = interaction
  return { id, type, name: command?.name ?? '', user }
}
