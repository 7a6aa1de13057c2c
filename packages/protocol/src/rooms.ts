import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const RoomType = { Text: 1, Voice: 2, Category: 3 } as const

export const Room = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    name: Type.String(),
    type: Type.Integer({ description: '1 text, 2 voice, 3 category' }),
    parent_id: Nullable(Uuid('a category of the same space')),
    description: Nullable(Type.String()),
    position: Type.Integer(),
    last_message_id: Nullable(Uuid()),
    last_seq: Type.Integer({ description: 'seq of the newest message ever sent here; 0 before the first' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Room' },
)
export type Room = Static<typeof Room>

export const RoomParams = Type.Object({ roomId: Uuid() })
export const SpaceRoomParams = Type.Object({ spaceId: Uuid(), roomId: Uuid() })
