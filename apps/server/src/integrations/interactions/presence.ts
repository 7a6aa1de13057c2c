import { has, Permission } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'

/** Returns true if the user may view the channel's room, or is in its conversation. */
export async function isThere(
  snapshots: Snapshots,
  { room, conversation }: ChannelAccess,
  userId: string,
): Promise<boolean> {
  if (room === null) return conversation.memberIds.includes(userId)
  const member = await snapshots.findMember(room.spaceId, userId)
  if (member === undefined) return false
  return has(permissionsInRoom(room.snapshot, member, room.room.id), Permission.ViewChannels)
}
