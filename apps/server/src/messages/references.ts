import { type MessageReference, ReferenceType } from '@foyer/protocol/messages'
import { channelOf } from '#src/channels/place.ts'
import type { MessageRow } from './rows.ts'

type Referring = Pick<
  MessageRow,
  'reference_type' | 'reference_tenant_id' | 'reference_channel_id' | 'reference_message_id'
>

/** Returns the reference as stored. Only users who may view the target may see it. */
export function storedReference(row: Referring): MessageReference | null {
  const { reference_type, reference_tenant_id, reference_channel_id, reference_message_id } = row
  if (reference_type === null || reference_message_id === null) return null
  const place = { tenantId: reference_tenant_id ?? '', channelId: reference_channel_id ?? '' }
  return { type: reference_type, message_id: reference_message_id, ...channelOf(place) }
}

/**
 * Returns the reference as published. A message is encoded once for all its viewers, and a forward may come from a room
 * that some of them may not view: a reference to another channel hides its ids.
 */
export function shownReference(reference: MessageReference, channelId: string): MessageReference {
  const { type, room_id, conversation_id } = reference
  const isFromElsewhere = type === ReferenceType.Forward && (room_id ?? conversation_id) !== channelId
  return isFromElsewhere
    ? { type, message_id: null, room_id: null, conversation_id: null, space_id: null }
    : reference
}
