import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const FollowRoomBody = Type.Object({
  room_id: Uuid('the text room that gets the copies, of the same space or another one'),
})
export type FollowRoomBody = Static<typeof FollowRoomBody>

export const FollowRemoteRoomBody = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: limits.urlMax,
    description: 'address of the page of an announcement room of another Foyer server, or of a page below it',
  }),
})
export type FollowRemoteRoomBody = Static<typeof FollowRemoteRoomBody>

/** Number of rooms that follow an announcement room. They are not named, because their spaces may be private. */
export const RoomFollowers = Type.Object({ count: Type.Integer() }, { title: 'RoomFollowers' })
export type RoomFollowers = Static<typeof RoomFollowers>

/**
 * The announcement room that a follow copies from, with its names at the time of the answer. For a room of another server,
 * the names are the last ones that its server gave, and `url`, `server` and `failing_since` are present.
 */
export const FollowedRoom = Type.Object(
  {
    space_id: Uuid(),
    space_name: Type.String(),
    room_id: Uuid(),
    room_name: Type.String(),
    url: Type.Optional(
      Type.String({ description: 'only for a room of another server: address of its page' }),
    ),
    server: Type.Optional(Type.String({ description: 'only for a room of another server: its host' })),
    failing_since: Type.Optional(
      Nullable(
        Timestamp(
          'only for a room of another server: since when it could not be read; null if the last attempt worked',
        ),
      ),
    ),
  },
  {
    title: 'FollowedRoom',
    description:
      'The source of a follow, which has no token; null once the room is deleted or no longer announces, and for a room of another server once it could not be read for 30 days',
  },
)
export type FollowedRoom = Static<typeof FollowedRoom>

/** The announcement that a message was copied from. The copy changes and is deleted together with that announcement. */
export const CopiedMessage = Type.Object(
  {
    space_id: Uuid(),
    room_id: Uuid(),
    message_id: Uuid(),
    url: Type.Optional(Type.String({ description: 'only from another server: address of the original' })),
    server: Type.Optional(Type.String({ description: 'only from another server: its host' })),
    space_name: Type.Optional(
      Type.String({ description: 'only from another server: the name at the time of the copy' }),
    ),
    room_name: Type.Optional(
      Type.String({ description: 'only from another server: the name at the time of the copy' }),
    ),
  },
  { title: 'CopiedMessage' },
)
export type CopiedMessage = Static<typeof CopiedMessage>
