import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Member } from './members.ts'
import { Role, RoomOverwrite } from './roles.ts'
import { Room } from './rooms.ts'
import { Nothing, Nullable, Text, Timestamp, Uuid } from './schema.ts'

export const Space = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    description: Nullable(Type.String()),
    icon: Nullable(Uuid('icon attachment')),
    banner: Nullable(Uuid('banner attachment')),
    owner_id: Uuid(),
    locale: Nullable(Type.String()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Space' },
)
export type Space = Static<typeof Space>

export const CreateSpaceBody = Type.Object({
  name: Text(1, limits.nameMax),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
})
export type CreateSpaceBody = Static<typeof CreateSpaceBody>

/** An image is set by a file; here it can only be removed, with null or an empty text, or kept, with its id. */
const KeptImage = () => Type.Optional(Nullable(Type.String()))

export const UpdateSpaceBody = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  icon: KeptImage(),
  banner: KeptImage(),
  locale: Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.localeMax,
        pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
        description: 'language tag of BCP 47',
      }),
    ),
  ),
})
export type UpdateSpaceBody = Static<typeof UpdateSpaceBody>

export const TransferSpaceBody = Type.Object({ user_id: Uuid('a member, who becomes the owner') })
export type TransferSpaceBody = Static<typeof TransferSpaceBody>

export const CreateSpaceResult = Type.Object(
  { space: Space, rooms: Type.Array(Room), roles: Type.Array(Role), member: Member },
  { title: 'CreateSpaceResult' },
)
export type CreateSpaceResult = Static<typeof CreateSpaceResult>

/** A space with all of it that its member may see: what READY and SPACE_CREATE carry. */
export const SpaceState = Type.Object(
  {
    ...Space.properties,
    rooms: Type.Array(Room),
    overwrites: Type.Array(RoomOverwrite),
    roles: Type.Array(Role),
    emojis: Nothing(),
    stickers: Nothing(),
    member: Member,
    member_count: Type.Integer(),
    voice_states: Nothing(),
  },
  { title: 'SpaceState' },
)
export type SpaceState = Static<typeof SpaceState>

export const SpaceParams = Type.Object({ spaceId: Uuid() })
