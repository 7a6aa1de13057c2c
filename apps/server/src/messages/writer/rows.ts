import { topicOfChannel } from '#src/channels/place.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import type { Draft } from '../draft.ts'
import { extraOf } from './extra.ts'
import type { NewMessage } from './sql.ts'

export interface StoredSeq {
  id: string
  seq: number
}

const SEQ_FIELD = '"seq":'

/**
 * Encodes the event once, around the `seq` that only the database knows. Only ids come before `seq`, so user text
 * cannot match the search.
 * @param isFollowed for a message that rooms may follow, and for a copy
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
