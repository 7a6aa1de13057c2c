import type { MessageInteraction } from '@foyer/protocol/messages'
import { targetsOf } from '../change-queries.ts'
import type { Draft } from '../draft.ts'
import type { MessageRow, StoredInteraction } from '../rows.ts'

type Extra = Partial<Omit<MessageRow, 'id' | 'seq' | 'author_id' | 'content' | 'nonce' | 'created_at'>>

/** Returns the columns of a message beyond plain text as JSON; null for plain text. */
export function extraOf(draft: Draft): string | null {
  const extra = { ...kindOf(draft), ...mentionsOf(draft), ...referenceOf(draft), ...shownOf(draft) }
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}

function kindOf({ message, leftOut = [] }: Draft): Extra & { left_out?: readonly string[] } {
  const { type, flags, webhook_id, application_id, interaction, call, author, copy_of } = message
  return {
    ...(type === 0 ? {} : { type }),
    ...(flags === 0 ? {} : { flags }),
    ...(webhook_id === null
      ? {}
      : { webhook_id, author_name: author.username, author_avatar: author.avatar }),
    ...(application_id === null ? {} : { application_id }),
    ...(interaction === null ? {} : { interaction: storedInteraction(interaction) }),
    ...(call === null ? {} : { call }),
    ...(copy_of === undefined ? {} : { copy_of, left_out: leftOut }),
  }
}

/** Stores only the id of the invoking user, because nothing else may remain of a deleted account. */
function storedInteraction({ id, type, name, user }: MessageInteraction): StoredInteraction {
  return { id, type, name, user_id: user.id }
}

function mentionsOf({ message, place }: Draft): Extra & { targets?: string[] } {
  const { mentions, mention_roles, mention_everyone } = message
  const mentioning = {
    mention_ids: mentions.map(({ id }) => id),
    mention_role_ids: mention_roles,
    mention_everyone,
  }
  const targets = targetsOf(mentioning, place)
  return targets.length === 0 ? {} : { ...mentioning, targets }
}

function referenceOf({ message, origin }: Draft): Extra & { shown_message_id?: string } {
  const { referenced_message, thread_id, snapshot } = message
  const reference = origin ?? message.reference
  if (reference === null) return {}
  const channelId = reference.room_id ?? reference.conversation_id
  return {
    reference_type: reference.type,
    reference_tenant_id: reference.space_id ?? channelId,
    reference_channel_id: channelId,
    reference_message_id: reference.message_id,
    ...(referenced_message === null ? {} : { shown_message_id: referenced_message.id }),
    ...(thread_id === null ? {} : { thread_id }),
    ...(snapshot === null ? {} : { snapshot }),
  }
}

function shownOf({ message }: Draft): Extra {
  const { stickers, embeds, components } = message
  return {
    ...(stickers.length === 0 ? {} : { sticker_ids: stickers.map(({ id }) => id) }),
    ...(embeds.length === 0 ? {} : { embeds }),
    ...(components.length === 0 ? {} : { components }),
  }
}
