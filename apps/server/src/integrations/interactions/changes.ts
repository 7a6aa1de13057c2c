import type { AnswerMessage } from '@foyer/protocol/interactions'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { ChannelAccess } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type Change, flagsAfter } from '#src/messages/editing.ts'
import { checkComponents, toEmbeds } from '#src/messages/embeds.ts'
import { resolveMentions } from '#src/messages/mentions.ts'
import { type AnswerDeps, screenAnswer } from './answering.ts'

/** Returns the message change; undefined if there is none. Omitted fields stay unchanged; null clears a field. */
export function changeOf(data: AnswerMessage): Change | undefined {
  const { content, embeds, components, flags, allowed_mentions } = data
  const change = {
    ...(content === undefined ? {} : { content: content ?? '' }),
    ...(embeds === undefined ? {} : { embeds: toEmbeds(embeds) }),
    ...(components === undefined ? {} : { components: checkComponents(components) }),
    ...(flags === undefined || flags === null ? {} : { flags }),
  }
  if (Object.keys(change).length === 0) return undefined
  return allowed_mentions === undefined ? change : { ...change, allowed: allowed_mentions }
}

/**
 * Returns an ephemeral message after a change. The first change of a deferred message sets its content.
 * @throws ApiError 400 if nothing would be left of it, 403 if a rule of the space refuses it
 */
export async function changeEphemeral(
  deps: AnswerDeps,
  access: ChannelAccess,
  message: Message,
  change: Change,
): Promise<Message> {
  const { content = message.content, embeds = message.embeds, components = message.components } = change
  if (content === '' && embeds.length + components.length === 0) throw new ApiError('empty_message')
  const mentions = await resolveMentions(deps, access, { content, allowed: change.allowed })
  await screenAnswer(deps, access, { content, embeds, components, mentions })
  const { users, roleIds, everyone } = mentions
  return {
    ...message,
    content,
    embeds: [...embeds],
    components: [...components],
    flags: flagsAfter(message.flags, change.flags),
    edited_at: message.flags & MessageFlag.Loading ? null : new Date().toISOString(),
    mentions: [...users],
    mention_roles: [...roleIds],
    mention_everyone: everyone,
  }
}
