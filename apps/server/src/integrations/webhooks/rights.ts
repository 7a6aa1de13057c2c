import { has, Permission, type RightFlags } from '@foyer/protocol/permissions'
import { rightsInRoom, type Snapshots } from '#src/spaces/snapshots.ts'
import type { WebhookRow } from './queries.ts'

const MAY_POST: RightFlags = { permissions: Permission.SendMessages, capabilities: 0 }

/**
 * Returns the permissions of a webhook's messages: those of its creator in the room now, none once they have left.
 * Posting itself is always allowed: the creator had that permission.
 */
export async function rightsOf(
  { snapshots }: { snapshots: Snapshots },
  { space_id, room_id, creator_id }: WebhookRow,
): Promise<RightFlags> {
  const { snapshot, member } = await snapshots.findMembership(space_id, creator_id)
  if (snapshot === undefined || member === undefined) return MAY_POST
  const rights = rightsInRoom(snapshot, member, room_id)
  return has(rights.permissions, Permission.ViewChannels) ? rights : MAY_POST
}
