import { type Static, Type } from 'typebox'
import { Int32, Nullable, Timestamp, Uuid } from './schema.ts'

/** A larger position is higher. The role @everyone has the space's id and position 0. */
export const Role = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    name: Type.String(),
    permissions: Type.Integer(),
    color_from: Nullable(Int32()),
    color_via: Nullable(Int32()),
    color_to: Nullable(Int32()),
    hoisted: Type.Boolean(),
    position: Type.Integer(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Role' },
)
export type Role = Static<typeof Role>

/** What one role or one member may or may not do in one room, whatever the roles say. */
export const RoomOverwrite = Type.Object(
  {
    room_id: Uuid(),
    target_id: Uuid(),
    target_type: Type.Integer({ description: '0 role, 1 member' }),
    allow_flags: Type.Integer(),
    deny_flags: Type.Integer(),
  },
  { title: 'RoomOverwrite' },
)
export type RoomOverwrite = Static<typeof RoomOverwrite>
