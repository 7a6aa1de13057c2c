import { CONVERSATION_CAPABILITIES } from '@foyer/protocol/capabilities'
import type { ChannelParams } from '@foyer/protocol/channels'
import type { Member } from '@foyer/protocol/members'
import type { RightFlags } from '@foyer/protocol/permissions'
import {
  accessConversation,
  type ConversationAccess,
  type ConversationAccessDeps,
} from '#src/conversations/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessRoom, type RoomAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Place } from './place.ts'

export interface ChannelDeps extends ConversationAccessDeps {
  snapshots: Snapshots
}

/** Includes the caller's rights in the channel. */
interface Granted extends RightFlags {
  readonly caller: Caller
  readonly place: Place
  /** The caller's membership of the room's space. */
  readonly member: Member | null
}

/** Proof that the caller may view a room or a conversation. Contains the proof for one of them. */
export type ChannelAccess = Granted &
  (
    | { readonly room: RoomAccess; readonly conversation: null }
    | { readonly room: null; readonly conversation: ConversationAccess }
  )

/**
 * @param params of a path that names a room or a conversation
 * @param permission bits that the caller needs there, besides ViewChannels
 * @throws ApiError as `accessRoom` and `accessConversation`
 */
export async function accessChannel(
  deps: ChannelDeps,
  caller: Caller,
  { roomId, conversationId }: ChannelParams,
  permission = 0,
): Promise<ChannelAccess> {
  if (roomId !== undefined) return ofRoom(await accessRoom(deps.snapshots, caller, roomId, permission))
  if (conversationId === undefined) throw new ApiError('not_found')
  return ofConversation(await accessConversation(deps, caller, conversationId, permission))
}

function ofRoom(room: RoomAccess): ChannelAccess {
  const { caller, permissions, capabilities, member } = room
  const place = { tenantId: room.spaceId, channelId: room.room.id }
  return { caller, place, permissions, capabilities, member, room, conversation: null }
}

function ofConversation(conversation: ConversationAccess): ChannelAccess {
  const { caller, permissions, id } = conversation
  const capabilities = CONVERSATION_CAPABILITIES
  const place = { tenantId: id, channelId: id }
  return { caller, place, permissions, capabilities, member: null, room: null, conversation }
}
