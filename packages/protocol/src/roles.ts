import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Int32, Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** Bits of `Permission`. Unknown bits are refused after the schema validation, with their own error. */
const Flags = () => Type.Integer({ description: 'bitfield of permissions' })
/** Bits of `Capability`; refused like unknown permissions. */
const Capabilities = (omitted: string) =>
  Type.Optional(Type.Integer({ description: `bitfield of capabilities; ${omitted}` }))

/** A larger position is higher. The role @everyone has the space's id and position 0. */
export const Role = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    name: Type.String(),
    permissions: Type.Integer(),
    capabilities: Type.Integer(),
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

const roleFields = {
  permissions: Type.Optional(Flags()),
  capabilities: Capabilities('omitted means none for a new role and no change otherwise'),
  color_from: Type.Optional(Nullable(Int32())),
  color_via: Type.Optional(Nullable(Int32())),
  color_to: Type.Optional(Nullable(Int32())),
  hoisted: Type.Optional(Type.Boolean()),
}

export const CreateRoleBody = Type.Object({ name: Text(1, limits.nameMax), ...roleFields })
export type CreateRoleBody = Static<typeof CreateRoleBody>

export const UpdateRoleBody = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  ...roleFields,
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      description: 'a position above the highest role means the highest',
    }),
  ),
  clear_colors: Type.Optional(
    Type.Boolean({ description: 'true removes all colors; other fields are ignored' }),
  ),
})
export type UpdateRoleBody = Static<typeof UpdateRoleBody>

/** Permissions and capabilities allowed and denied to one role or member in one room. They override the roles. */
export const RoomOverwrite = Type.Object(
  {
    room_id: Uuid(),
    target_id: Uuid(),
    target_type: Type.Integer({ description: '0 role, 1 member' }),
    allow_flags: Type.Integer(),
    deny_flags: Type.Integer(),
    allow_capabilities: Type.Integer(),
    deny_capabilities: Type.Integer(),
  },
  { title: 'RoomOverwrite' },
)
export type RoomOverwrite = Static<typeof RoomOverwrite>

export const UpsertOverwriteBody = Type.Object({
  target_id: Uuid('a role of the space, its own id for @everyone, or a member'),
  target_type: Type.Integer({ enum: [0, 1], description: '0 role, 1 member' }),
  allow_flags: Flags(),
  deny_flags: Flags(),
  allow_capabilities: Capabilities('omitted means none'),
  deny_capabilities: Capabilities('omitted means none'),
})
export type UpsertOverwriteBody = Static<typeof UpsertOverwriteBody>

export const RoleParams = Type.Object({ spaceId: Uuid(), roleId: Uuid() })
export const MemberRoleParams = Type.Object({ spaceId: Uuid(), memberId: Uuid(), roleId: Uuid() })
export const OverwriteParams = Type.Object({ spaceId: Uuid(), roomId: Uuid(), targetId: Uuid() })
