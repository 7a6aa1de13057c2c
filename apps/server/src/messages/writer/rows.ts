import type { MessageInteraction } from '@foyer/protocol/messages'
import { topicOfChannel } from '#src/channels/place.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { targetsOf } from '../change-queries.ts'
import type { Draft } from '../draft.ts'
import type { MessageRow, StoredInteraction } from '../rows.ts'
import type { NewMessage } from './sql.ts'

export interface StoredSeq {
  id: string
  seq: number
}

const SEQ_FIELD = '"seq":'

/**
 * Encodes the event once, in two parts around the `seq`, which only the database knows. Only ids come before `seq`,
 * so user text cannot match the search for it.
 * @param isFollowed true for a message that rooms may follow, and for a copy
 */
export function rowOf(draft: Draft, isFollowed: boolean): NewMessage {
  const { place, message, fileIds } = draft
  const files = message.snapshot?.attachments ?? message.attachments
  const json = encodeEvent('MESSAGE_CREATE', { ...message, seq: 0 })
  const end = json.indexOf(SEQ_FIELD) + SEQ_FIELD.length
  return {
    tenantId: place.tenantId,
    channelId: place.channelId,
    parentId: place.parentId ?? null,
    id: message.id,
    eventId: newId(),
    authorId: message.author.id,
    content: message.content,
    nonce: message.nonce,
    createdAt: message.created_at,
    extra: extraOf(draft),
    isFollowed,
    fileIds,
    descriptions: files.map(({ description }) => description),
    head: json.slice(0, end),
    tail: json.slice(end + 1),
  }
}

/** Returns the message as JSON. */
export function jsonOf({ head, tail }: NewMessage, seq: number): string {
  return `${head}${seq}${tail}`
}

export function eventOf({ eventId }: NewMessage, { place }: Draft, data: string): Event {
  return { id: eventId, topic: topicOfChannel(place), audience: 0, name: 'MESSAGE_CREATE', data }
}

type Extra = Partial<Omit<MessageRow, 'id' | 'seq' | 'author_id' | 'content' | 'nonce' | 'created_at'>>

/** Returns the columns of a message beyond plain text as JSON; null for plain text. */
function extraOf(draft: Draft): string | null {
  const extra = { ...kindOf(draft), ...mentionsOf(draft), ...referenceOf(draft), ...shownOf(draft) }
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}

/** Columns of a copy's mark. */
interface MarkExtra {
  left_out?: readonly string[]
  source_number?: number | undefined
}

function kindOf({ message, leftOut = [], sourceNumber }: Draft): Extra & MarkExtra {
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
    ...(copy_of === undefined ? {} : { copy_of, left_out: leftOut, source_number: sourceNumber }),
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
