import { type Static, Type } from 'typebox'
import { Forum, UpdateForum } from './forums.ts'
import { limits, MAX_OVERWRITES, MAX_SLOW_MODE_SECONDS } from './limits.ts'
import { RoomOnWeb } from './on-web.ts'
import { RetentionDays } from './retention.ts'
import { UpsertOverwriteBody } from './roles.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

export const RoomType = { Text: 1, Voice: 2, Category: 3, Forum: 5 } as const

/** The location where the web client opens a reply: below its message in the room, or in a thread. */
export const replyPlaces = ['room', 'threads'] as const
export type ReplyPlace = (typeof replyPlaces)[number]

const Replies = (description: string) =>
  Type.Optional(Type.Unsafe<ReplyPlace>({ type: 'string', enum: [...replyPlaces], description }))

const Announces = () =>
  Type.Optional(
    Type.Boolean({
      description: 'whether other rooms can follow this text room; 400 as true for other types',
    }),
  )

export const Room = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    name: Type.String({ description: 'empty for a room whose name was cleared' }),
    type: Type.Integer({ description: '1 text, 2 voice, 3 category, 5 forum' }),
    parent_id: Nullable(Uuid('a category of the same space')),
    description: Nullable(Type.String()),
    position: Type.Integer(),
    slow_mode_seconds: Type.Integer({
      description: 'time between two messages of one user; 0 without slow mode',
    }),
    retention_days: Nullable(
      Type.Integer({
        description: 'days after which messages are deleted here; null for the setting of the space',
      }),
    ),
    replies: Replies('present only as `threads`; omitted means `room`'),
    announces: Type.Optional(
      Type.Boolean({
        description:
          'present only as true: other rooms can follow this text room, and get copies of its messages',
      }),
    ),
    web: Type.Optional(RoomOnWeb),
    forum: Type.Optional(Forum),
    last_message_id: Nullable(Uuid()),
    last_seq: Type.Integer({ description: 'seq of the newest message ever sent here; 0 before the first' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Room' },
)
export type Room = Static<typeof Room>

export const CreateRoomBody = Type.Object({
  name: Text(1, limits.nameMax),
  type: Type.Integer({ enum: [1, 2, 3, 5], description: '1 text, 2 voice, 3 category, 5 forum' }),
  parent_id: Type.Optional(Nullable(Uuid('a category of the space; ignored for categories'))),
  announces: Announces(),
  overwrites: Type.Optional(
    Type.Array(UpsertOverwriteBody, {
      maxItems: MAX_OVERWRITES,
      description: 'overwrites for roles and members that apply from the start',
    }),
  ),
})
export type CreateRoomBody = Static<typeof CreateRoomBody>

export const UpdateRoomBody = Type.Object({
  name: Type.Optional(Nullable(Text(1, limits.nameMax))),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  parent_id: Type.Optional(Nullable(Uuid('a category of the space; ignored for categories'))),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      description: 'a position after the last room means the last',
    }),
  ),
  slow_mode_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SLOW_MODE_SECONDS,
      description: 'time between two messages of one user; 0 ends slow mode; ignored for categories',
    }),
  ),
  retention_days: RetentionDays(
    'days after which messages are deleted here; null for those of the space; ignored for categories',
  ),
  replies: Replies('where clients open an answer: in the room, or in a thread; ignored for categories'),
  announces: Announces(),
  forum: Type.Optional({ ...UpdateForum, description: 'settings of a forum; 400 for other rooms' }),
})
export type UpdateRoomBody = Static<typeof UpdateRoomBody>

export const ListRoomsQuery = Type.Object({
  forums: Type.Optional(Type.Boolean({ description: 'true lists forums, too' })),
})
export type ListRoomsQuery = Static<typeof ListRoomsQuery>

export const RoomParams = Type.Object({ roomId: Uuid() })
export const SpaceRoomParams = Type.Object({ spaceId: Uuid(), roomId: Uuid() })
