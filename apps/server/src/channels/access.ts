import { Capability, CONVERSATION_CAPABILITIES } from '@foyer/protocol/capabilities'
import type { ChannelParams } from '@foyer/protocol/channels'
import type { Member } from '@foyer/protocol/members'
import { has, Permission, type RightFlags } from '@foyer/protocol/permissions'
import {
  accessConversation,
  type ConversationAccess,
  type ConversationAccessDeps,
} from '#src/conversations/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessRoomIn, accessSpace, type RoomAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessRoomOf, type ThreadPlaces } from '#src/spaces/thread-places.ts'
import { type Place, placeOfThread } from './place.ts'

export interface ChannelDeps extends ConversationAccessDeps {
  snapshots: Snapshots
  threadPlaces: ThreadPlaces
}

/** Includes the caller's rights in the channel. */
interface Granted extends RightFlags {
  readonly caller: Caller
  readonly place: Place
  /** The caller's membership of the room's space. */
  readonly member: Member | null
}

/** Proof that the caller may view a room or a conversation. Exactly one of `room` and `conversation` is set. */
export type ChannelAccess = Granted &
  (
    | { readonly room: RoomAccess; readonly conversation: null }
    | { readonly room: null; readonly conversation: ConversationAccess }
  )

/**
 * @param params of a path that names a room, a thread or a conversation
 * @param permission bits that the caller needs in the channel, besides ViewChannels
 * @throws ApiError with the errors of `accessRoomIn` and `accessConversation`, and 403 to write in a closed thread
 */
export async function accessChannel(
  deps: ChannelDeps,
  caller: Caller,
  { roomId, conversationId }: ChannelParams,
  permission = 0,
): Promise<ChannelAccess> {
  if (roomId !== undefined) return accessRoomOrThread(deps, caller, roomId, permission)
  if (conversationId === undefined) throw new ApiError('not_found')
  return ofConversation(await accessConversation(deps, caller, conversationId, permission))
}

/**
 * Returns access to a room or a thread. For a thread, `room` is the room whose rights it has, and `place` has the
 * thread's id.
 * @throws ApiError 403 to write in a closed thread without ManageThreads
 */
async function accessRoomOrThread(
  { snapshots, threadPlaces }: ChannelDeps,
  caller: Caller,
  id: string,
  permission: number,
): Promise<ChannelAccess> {
  const spaceId = threadPlaces.has(id) ? undefined : await snapshots.findSpaceOfRoom(id)
  if (spaceId !== undefined)
    return ofRoom(accessRoomIn(await accessSpace(snapshots, caller, spaceId), id, permission))
  const thread = await threadPlaces.find(id)
  if (thread === undefined) throw new ApiError('unknown_room')
  const room = await accessRoomOf(snapshots, caller, thread, permission)
  const isWriting = has(permission, Permission.SendMessages)
  if (isWriting && thread.is_closed && !has(room.capabilities, Capability.ManageThreads))
    throw new ApiError('thread_closed')
  return granted(room, placeOfThread(thread))
}

function ofRoom(room: RoomAccess): ChannelAccess {
  return granted(room, { tenantId: room.spaceId, channelId: room.room.id })
}

function granted(room: RoomAccess, place: Place): ChannelAccess {
  const { caller, permissions, capabilities, member } = room
  return { caller, place, permissions, capabilities, member, room, conversation: null }
}

function ofConversation(conversation: ConversationAccess): ChannelAccess {
  const { caller, permissions, id } = conversation
  const capabilities = CONVERSATION_CAPABILITIES
  const place = { tenantId: id, channelId: id }
  return { caller, place, permissions, capabilities, member: null, room: null, conversation }
}
