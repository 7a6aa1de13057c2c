import type { Forum } from '@foyer/protocol/forums'
import type { Room } from '@foyer/protocol/rooms'
import { fragment } from '#src/kernel/sql/sql.ts'

/** The columns of a `RoomRow`, with the tables that they come from. */
export const roomsWithHeads = fragment`
  rooms.space_id, id, name, type, parent_id, description, position, slow_mode_seconds, retention_days, replies,
  announces, forum, web_rooms.since as web_since, web_rooms.whole_from as web_whole_from,
  web_rooms.is_indexed as web_is_indexed,
  last_message_id, coalesce(last_seq, 0) as last_seq, created_at, updated_at
  from rooms left join message_heads on tenant_id = rooms.space_id and channel_id = rooms.id
  left join web_rooms on web_rooms.space_id = rooms.space_id and web_rooms.room_id = rooms.id
    and exists (select from server_settings where public_pages)`

export type RoomRow = Omit<Room, 'replies' | 'web' | 'forum' | 'announces'> & {
  announces: boolean
  replies: 'threads' | null
  forum: Forum | null
  web_since: string | null
  web_whole_from: string | null
  web_is_indexed: boolean | null
}

/** Omits optional fields without a value, because older clients do not know these fields. */
export function roomOf(row: RoomRow): Room {
  const {
    replies,
    announces,
    forum,
    web_since: since,
    web_whole_from: wholeFrom,
    web_is_indexed: isIndexed,
    ...room
  } = row
  return {
    ...room,
    ...(replies !== null && { replies }),
    ...(announces && { announces }),
    ...(forum !== null && { forum }),
    ...(since !== null && { web: { since, whole_from: wholeFrom, is_indexed: isIndexed !== false } }),
  }
}
