import type { Forum } from '@foyer/protocol/forums'
import type { Member } from '@foyer/protocol/members'
import type { RightFlags } from '@foyer/protocol/permissions'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { Space } from '@foyer/protocol/spaces'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type RoomRow, roomOf, roomsWithHeads } from './room-rows.ts'

export const spaceColumns = fragment`
  id, name, description, icon, banner, owner_id, locale, system_room_id, audit_log_days, retention_days,
  door_closed_at, frozen_at, needs_second_factor, created_at, updated_at`

export const roleColumns = fragment`
  space_id, id, name, permissions, capabilities, color_from, color_via, color_to, hoisted, position, created_at,
  updated_at`

const overwriteColumns = fragment`
  room_id, target_id, target_type, allow_flags, deny_flags, allow_capabilities, deny_capabilities`

export async function findSpaces(database: Queryable, spaceIds: readonly string[]): Promise<Space[]> {
  return database.query<Space>(sql`
    select ${spaceColumns}
    from spaces where id = any(${spaceIds}) and deleted_at is null
    order by id`)
}

export async function listRooms(database: Queryable, spaceIds: readonly string[]): Promise<Room[]> {
  const rows = await database.query<RoomRow>(sql`
    select ${roomsWithHeads}
    where rooms.space_id = any(${spaceIds})
    order by position, id`)
  return rows.map(roomOf)
}

export async function listRoles(database: Queryable, spaceIds: readonly string[]): Promise<Role[]> {
  return database.query<Role>(sql`
    select ${roleColumns}
    from roles where space_id = any(${spaceIds})
    order by position, id`)
}

export async function listOverwrites(
  database: Queryable,
  spaceIds: readonly string[],
): Promise<(RoomOverwrite & { space_id: string })[]> {
  return database.query(sql`
    select space_id, ${overwriteColumns}
    from room_overwrites where space_id = any(${spaceIds})
    order by room_id, target_id`)
}

/** Returns those of the given rooms that belong to the space. */
export async function findRooms(
  database: Queryable,
  spaceId: string,
  roomIds: readonly string[],
): Promise<Room[]> {
  const rows = await database.query<RoomRow>(sql`
    select ${roomsWithHeads}
    where rooms.space_id = ${spaceId} and id = any(${roomIds})
    order by position, id`)
  return rows.map(roomOf)
}

export async function findRoles(
  database: Queryable,
  spaceId: string,
  roleIds: readonly string[],
): Promise<Role[]> {
  return database.query<Role>(sql`
    select ${roleColumns}
    from roles where space_id = ${spaceId} and id = any(${roleIds})
    order by position, id`)
}

export async function listOverwritesOf(
  database: Queryable,
  spaceId: string,
  roomId: string,
): Promise<RoomOverwrite[]> {
  return database.query<RoomOverwrite>(sql`
    select ${overwriteColumns}
    from room_overwrites where space_id = ${spaceId} and room_id = ${roomId}
    order by target_id`)
}

/** Kind of an image that belongs to a space. */
export type SpaceImageKind = 'emoji' | 'sticker'

/** Lists the emojis and stickers of the spaces. */
export async function listSpaceImages(
  database: Queryable,
  spaceIds: readonly string[],
): Promise<(SpaceImage & { kind: SpaceImageKind })[]> {
  return database.query(sql`
    select kind, space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where space_id = any(${spaceIds})
    order by space_id, kind, id`)
}

export async function countSpaceImages(database: Queryable, spaceId: string): Promise<number> {
  const [counted] = await database.query<{ count: number }>(
    sql`select count(*) from space_images where space_id = ${spaceId}`,
  )
  return counted?.count ?? 0
}

/** Returns the user's memberships, in all spaces or in the named ones. */
export async function listMemberships(
  database: Queryable,
  userId: string,
  spaceIds: readonly string[] | null = null,
): Promise<Member[]> {
  return database.query<Member>(sql`
    select user_id as id, space_id, user_id, nickname, joined_at, timeout_until,
      array(select role_id from member_roles
        where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
        order by role_id) as roles
    from members
    where user_id = ${userId} and (${spaceIds}::uuid[] is null or space_id = any(${spaceIds}::uuid[]))
      and exists (select from spaces where id = space_id and deleted_at is null)
    order by joined_at, space_id`)
}

/** Returns the user's spaces that were deleted since the given time: RESUME sends their SPACE_DELETE. */
export async function listDeletedSpaces(database: Queryable, userId: string, since: Date): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from members join spaces on id = space_id
    where user_id = ${userId} and deleted_at >= ${since}
    order by id`)
  return rows.map((row) => row.id)
}

export async function countMembers(
  database: Queryable,
  spaceIds: readonly string[],
): Promise<{ id: string; member_count: number }[]> {
  return database.query(sql`select id, member_count from spaces where id = any(${spaceIds})`)
}

export async function findSpaceOfRoom(database: Queryable, roomId: string): Promise<string | undefined> {
  const [row] = await database.query<{ space_id: string }>(
    sql`select space_id from rooms where id = ${roomId}`,
  )
  return row?.space_id
}

export interface NewSpace {
  id: string
  name: string
  description: string | null
  ownerId: string
  everyone: RightFlags
  systemRoomId: string | null
  hasRaidSensor: boolean
}

/** Inserts the space with @everyone and its first member; false if the owner's account is deleted. */
export async function insertSpace(database: Queryable, space: NewSpace): Promise<boolean> {
  const members = await database.query(sql`
    with owner as (
      -- Held, so that an account that is being deleted is not left owning a space, and their spaces can be counted.
      select id, username, alias_key from users where id = ${space.ownerId} and deleted_at is null for no key update
    ), space as (
      insert into spaces (id, name, description, owner_id, member_count, system_room_id, raid_sensor)
      select ${space.id}, ${space.name}, ${space.description}, id, 1, ${space.systemRoomId}, ${space.hasRaidSensor} from owner
    ), everyone as (
      insert into roles (space_id, id, name, permissions, capabilities, position)
      select ${space.id}, ${space.id}, '@everyone', ${space.everyone.permissions}, ${space.everyone.capabilities}, 0
      from owner
    )
    insert into members (space_id, user_id, username_key, alias_key)
    select ${space.id}, id, username, alias_key from owner
    returning user_id`)
  return members.length > 0
}

export interface NewRoom {
  id: string
  name: string
  type: number
  parentId: string | null
  position: number
  announces?: boolean | undefined
  /** Set only for a forum. */
  forum?: Forum | undefined
}

export async function insertRooms(
  database: Queryable,
  spaceId: string,
  rooms: readonly NewRoom[],
): Promise<void> {
  await database.query(sql`
    with room as (
      insert into rooms (space_id, id, name, type, parent_id, position, announces, forum)
      select ${spaceId}, id, name, type, parent_id, position, announces, forum::jsonb from unnest(
        ${rooms.map((room) => room.id)}::uuid[],
        ${rooms.map((room) => room.name)}::text[],
        ${rooms.map((room) => room.type)}::smallint[],
        ${rooms.map((room) => room.parentId)}::uuid[],
        ${rooms.map((room) => room.position)}::integer[],
        ${rooms.map(({ announces = false }) => announces)}::boolean[],
        ${rooms.map(({ forum }) => (forum === undefined ? null : JSON.stringify(forum)))}::text[])
        as room (id, name, type, parent_id, position, announces, forum)
      returning space_id, id
    )
    insert into message_heads (tenant_id, channel_id) select space_id, id from room`)
}

/** Inserts or replaces overwrites: a target has one per room. */
export async function saveOverwrites(
  transaction: Queryable,
  spaceId: string,
  overwrites: readonly RoomOverwrite[],
): Promise<void> {
  await transaction.query(sql`
    insert into room_overwrites
      (space_id, room_id, target_id, target_type, allow_flags, deny_flags, allow_capabilities, deny_capabilities)
    select ${spaceId}, * from unnest(
      ${overwrites.map(({ room_id }) => room_id)}::uuid[],
      ${overwrites.map(({ target_id }) => target_id)}::uuid[],
      ${overwrites.map(({ target_type }) => target_type)}::smallint[],
      ${overwrites.map(({ allow_flags }) => allow_flags)}::integer[],
      ${overwrites.map(({ deny_flags }) => deny_flags)}::integer[],
      ${overwrites.map(({ allow_capabilities }) => allow_capabilities)}::integer[],
      ${overwrites.map(({ deny_capabilities }) => deny_capabilities)}::integer[])
    on conflict (space_id, room_id, target_id)
    do update set allow_flags = excluded.allow_flags, deny_flags = excluded.deny_flags,
      allow_capabilities = excluded.allow_capabilities, deny_capabilities = excluded.deny_capabilities`)
}

export async function listSpacesOf(database: Queryable, userId: string): Promise<Space[]> {
  return database.query<Space>(sql`
    select ${spaceColumns}
    from spaces join members on space_id = id
    where user_id = ${userId} and deleted_at is null
    order by joined_at, id`)
}

/** Returns the users who are members of the space. */
export async function findMembers(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<Member[]> {
  return database.query<Member>(sql`
    select user_id as id, space_id, user_id, nickname, joined_at, timeout_until,
      array(select role_id from member_roles
        where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
        order by role_id) as roles
    from members where space_id = ${spaceId} and user_id = any(${userIds})`)
}

/** Saves the editable columns. Returns undefined if none changed. */
export async function saveSpace(transaction: Queryable, space: Space): Promise<Space | undefined> {
  const { id, name, description, icon, banner, owner_id, locale, system_room_id, audit_log_days } = space
  const { retention_days, needs_second_factor } = space
  const [saved] = await transaction.query<Space>(sql`
    update spaces set name = ${name}, description = ${description}, icon = ${icon}, banner = ${banner},
      owner_id = ${owner_id}, locale = ${locale}, system_room_id = ${system_room_id},
      audit_log_days = ${audit_log_days}, retention_days = ${retention_days},
      needs_second_factor = ${needs_second_factor}, updated_at = now()
    where id = ${id}
      and (name, description, icon, banner, owner_id, locale, system_room_id, audit_log_days,
        retention_days, needs_second_factor) is distinct from
      (${name}::text, ${description}::text, ${icon}::uuid, ${banner}::uuid, ${owner_id}::uuid, ${locale}::text,
        ${system_room_id}::uuid, ${audit_log_days}::integer, ${retention_days}::integer,
        ${needs_second_factor}::boolean)
    returning ${spaceColumns}`)
  return saved
}

/** Freezes the space, or unfreezes it if `freeze` is null. Returns undefined if nothing changed. */
export async function saveFreeze(
  transaction: Queryable,
  spaceId: string,
  freeze: { reason: string | null } | null,
): Promise<Space | undefined> {
  const isFrozen = freeze !== null
  const [space] = await transaction.query<Space>(sql`
    update spaces set frozen_at = case when ${isFrozen}::boolean then now() end,
      freeze_reason = ${freeze?.reason ?? null}, updated_at = now()
    where id = ${spaceId} and (frozen_at is not null) <> ${isFrozen}::boolean
    returning ${spaceColumns}`)
  return space
}
