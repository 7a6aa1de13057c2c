import { MessageFlag, type MessageReference, ReferenceType } from '@foyer/protocol/messages'
import { channelOf, placeOfRow } from '#src/channels/place.ts'
import type { MessageRow } from './rows.ts'

type Referring = Pick<
  MessageRow,
  | 'channel_id'
  | 'parent_id'
  | 'flags'
  | 'reference_type'
  | 'reference_tenant_id'
  | 'reference_channel_id'
  | 'reference_message_id'
>

/** Returns the reference as stored. Show it only to users who may view the target. */
export function storedReference(row: Referring): MessageReference | null {
  const { reference_type, reference_tenant_id, reference_channel_id, reference_message_id } = row
  if (reference_type === null || reference_message_id === null) return null
  const tenantId = reference_tenant_id ?? ''
  const channelId = reference_channel_id ?? ''
  const isFromThread = (row.flags & MessageFlag.FromThread) !== 0
  const place =
    channelId === row.channel_id
      ? placeOfRow(tenantId, row)
      : { tenantId, channelId, parentId: isFromThread ? row.channel_id : undefined }
  return { type: reference_type, message_id: reference_message_id, ...channelOf(place) }
}

/**
 * Returns the reference as a message shows it. A message is encoded once for all its recipients, and some of them may
 * not view the room of the original: a reference to another channel hides its ids, except to a thread of this room.
 */
export function shownReference(reference: MessageReference, channelId: string): MessageReference {
  const { type, room_id, conversation_id } = reference
  const known = [room_id ?? conversation_id, reference.parent_room_id]
  const isFromElsewhere = type === ReferenceType.Forward && !known.includes(channelId)
  return isFromElsewhere
    ? { type, message_id: null, room_id: null, conversation_id: null, space_id: null }
    : reference
}
