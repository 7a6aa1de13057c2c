import { Capability } from '@foyer/protocol/capabilities'
import type { PushPayload } from '@foyer/protocol/notifications'
import { has, Permission } from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import type { Role } from '@foyer/protocol/roles'
import type { Space } from '@foyer/protocol/spaces'
import type { Place } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findDoor } from '#src/spaces/door/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { rightsIn, type Snapshots } from '#src/spaces/snapshots.ts'
import { listConcerned, type UserPage } from './recipient-queries.ts'

/** A raid: the space's sensor has closed the door, and new users wait for a moderator. `authorId` is the id of the space. */
export interface Raid {
  readonly type: 'raid'
  readonly place: Place
  readonly authorId: string
}

interface ModeratorDeps {
  database: Database
  snapshots: Snapshots
}

/** @returns undefined if the door is open, or if a moderator has closed it */
export async function findRaid(database: Queryable, place: Place): Promise<Raid | undefined> {
  const { closed_at, closed_by } = await findDoor(database, place.tenantId)
  const isRaid = closed_at !== null && closed_by === null
  return isRaid ? { type: 'raid', place, authorId: place.tenantId } : undefined
}

/** Lists a page of users with subscriptions who may be moderators, by id. */
export async function listModerators(
  { database, snapshots }: ModeratorDeps,
  { place, authorId }: Raid,
  page: UserPage,
): Promise<string[]> {
  const snapshot = await snapshots.find(place.tenantId)
  if (snapshot === undefined) return []
  const { space, roles } = snapshot
  const roleIds = [...roles.values()].filter(isModerating).map(({ id }) => id)
  const naming = {
    authorId,
    chain: [],
    userIds: [space.owner_id],
    roleIds,
    everyone: roleIds.includes(space.id),
  }
  return listConcerned(database, place.tenantId, naming, page)
}

function isModerating({ permissions, capabilities }: Role): boolean {
  return has(permissions, Permission.Administrator) || has(capabilities, Capability.KickMembers)
}

/** Returns the given users who may open and close the door now. */
export async function chooseModerators(
  { database, snapshots }: ModeratorDeps,
  { place }: Raid,
  userIds: readonly string[],
): Promise<string[]> {
  const snapshot = await snapshots.find(place.tenantId)
  if (snapshot === undefined) return []
  const members = await findMembers(database, place.tenantId, userIds)
  return members
    .filter((member) => holds(rightsIn(snapshot, member), 'KickMembers'))
    .map(({ user_id }) => user_id)
}

export function payloadOfRaid({ id }: Space, name: string): PushPayload {
  return {
    type: 'raid',
    space_id: id,
    space_name: name,
    title: name,
    body: 'Many people came at once. The door has closed by itself',
    url: `/spaces/${id}`,
    tag: `raid-${id}`,
    kind: 'raid',
    text: '',
    attachment_count: 0,
  }
}
