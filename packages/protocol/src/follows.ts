import { type Static, Type } from 'typebox'
import { Uuid } from './schema.ts'

export const FollowRoomBody = Type.Object({
  room_id: Uuid('the text room that gets the copies, of the same space or another one'),
})
export type FollowRoomBody = Static<typeof FollowRoomBody>

/** How many rooms follow an announcement room. It names none of them, because their spaces may be private. */
export const RoomFollowers = Type.Object({ count: Type.Integer() }, { title: 'RoomFollowers' })
export type RoomFollowers = Static<typeof RoomFollowers>

/** The announcement room that a follow copies from, with its names at the time of the answer. */
export const FollowedRoom = Type.Object(
  {
    space_id: Uuid(),
    space_name: Type.String(),
    room_id: Uuid(),
    room_name: Type.String(),
  },
  {
    title: 'FollowedRoom',
    description:
      'The source of a follow, which has no token; null once the room is deleted or no longer announces',
  },
)
export type FollowedRoom = Static<typeof FollowedRoom>

/** The announcement that a message was copied from. The copy changes and is deleted with it. */
export const CopiedMessage = Type.Object(
  { space_id: Uuid(), room_id: Uuid(), message_id: Uuid() },
  { title: 'CopiedMessage' },
)
export type CopiedMessage = Static<typeof CopiedMessage>
