import { Capability } from '@foyer/protocol/capabilities'
import { ReferenceType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { accessChannel } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SendRequest } from '#src/messages/contents.ts'
import type { Entry } from '#src/messages/rich-sending.ts'
import { createMessage } from '#src/messages/sending.ts'
import type { SendDeps } from '#src/messages/writing.ts'

/**
 * Sends a message of a thread and forwards it to the thread's room. A retry does not forward it again.
 * @returns the message as JSON
 * @throws ApiError 400 outside of threads, and in posts of a forum
 */
export async function createAlsoInRoom(deps: SendDeps, entry: Entry, sent: SendRequest): Promise<string> {
  const { also_to_room: _, ...body } = sent.body
  const { place, caller } = entry.access
  const { parentId, channelId: room_id } = place
  if (parentId === undefined) throw new ApiError('not_a_thread')
  if (entry.access.room?.room.type === RoomType.Forum) throw new ApiError('not_a_message_room')
  const json = await createMessage(deps, entry, { ...sent, body })
  const { id: message_id }: { id: string } = JSON.parse(json)
  const enter = async () => {
    const access = await accessChannel(deps, caller, { roomId: parentId }, Permission.SendMessages)
    // The message and its forward count as one message for slow mode.
    return { ...access, capabilities: access.capabilities | Capability.BypassSlowMode }
  }
  const reference = { type: ReferenceType.Forward, message_id, room_id }
  const forward = { body: { reference, nonce: `to room ${message_id}` }, files: [] }
  await createMessage(deps, { access: await enter(), enter, isApproved: true }, forward)
  return json
}
