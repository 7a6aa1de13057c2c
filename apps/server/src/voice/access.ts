import { has, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { UpdateVoiceState } from '@foyer/protocol/voice'
import { accessChannel, type ChannelAccess, type ChannelDeps } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { refusalOf } from '#src/spaces/access.ts'

/** The voice room or conversation that a client names in op 4, which changes its voice state. */
export interface VoiceTarget {
  readonly roomId: string | undefined
  readonly conversationId: string | undefined
  /** Omitted for conversations, and optional for rooms. */
  readonly spaceId: string | undefined
}

/**
 * Returns the room or conversation that op 4 names; undefined if the client leaves voice.
 * @throws ApiError 400 for a conversation together with a room or space
 */
export function targetOf(wanted: UpdateVoiceState): VoiceTarget | undefined {
  const roomId = wanted.room_id ?? undefined
  const conversationId = wanted.conversation_id ?? undefined
  if (roomId === undefined && conversationId === undefined) return undefined
  const spaceId = wanted.space_id ?? undefined
  const isAmbiguous = conversationId !== undefined && (roomId ?? spaceId) !== undefined
  if (isAmbiguous)
    throw new ApiError('invalid_request', 'conversation_id cannot be combined with room_id or space_id')
  return { roomId, conversationId, spaceId }
}

/**
 * Checks that the caller may be in voice in the room or conversation.
 * @throws ApiError with the errors of `accessChannel`; 404 for a room outside the named space; 400 for a room without
 * voice
 */
export async function accessVoice(
  deps: ChannelDeps,
  caller: Caller,
  { roomId, conversationId, spaceId }: VoiceTarget,
): Promise<ChannelAccess> {
  // Calls need the right to write: users who may not message each other may not call each other.
  if (roomId === undefined) return accessChannel(deps, caller, { conversationId }, Permission.SendMessages)
  const access = await accessChannel(deps, caller, { roomId })
  if (spaceId !== undefined && spaceId !== access.place.tenantId) throw new ApiError('unknown_room')
  checkHasVoice(access.room?.room.type)
  if (access.room !== null && !has(access.permissions, Permission.JoinVoice)) throw refusalOf(access.room)
  return access
}

/** Checks that a room is a voice room, by its type. @throws ApiError 400 for any other type */
export function checkHasVoice(roomType: number | undefined): void {
  if (roomType !== RoomType.Voice) throw new ApiError('not_a_voice_room')
}
