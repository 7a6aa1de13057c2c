import { type Static, Type } from 'typebox'
import { MAX_INVITE_AGE_SECONDS, MAX_INVITE_USES } from './limits.ts'
import { Room } from './rooms.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'
import { Space } from './spaces.ts'
import { User } from './users.ts'

export const InviteCode = Type.Object(
  {
    id: Uuid(),
    code: Type.String(),
    space_id: Uuid(),
    room_id: Uuid(),
    inviter_id: Uuid(),
    max_age: Type.Integer({ description: 'seconds; 0 means valid until revoked' }),
    max_uses: Type.Integer({ description: 'people who can join with it; 0 means any number' }),
    uses: Type.Integer(),
    temporary: Type.Boolean({
      description: 'whether memberships end when the user disconnects, until they get a role',
    }),
    expires_at: Nullable(Timestamp()),
    created_at: Timestamp(),
  },
  { title: 'InviteCode' },
)
export type InviteCode = Static<typeof InviteCode>

export const CreateInviteBody = Type.Object({
  max_age: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_INVITE_AGE_SECONDS })),
  max_uses: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_INVITE_USES })),
  temporary: Type.Optional(Type.Boolean({ description: 'false when omitted' })),
  name: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]([a-z0-9-]{1,30})[a-z0-9]$',
      description: '3 to 32 small letters, digits and hyphens, which become the code. Needs ManageInvites',
    }),
  ),
})
export type CreateInviteBody = Static<typeof CreateInviteBody>

/** The part of an invite that anyone with its code may see before joining. */
export const InvitePreview = Type.Object(
  {
    code: Type.String(),
    space: Type.Pick(Space, ['id', 'name', 'description', 'icon', 'banner']),
    room: Type.Pick(Room, ['id', 'name', 'type']),
    inviter: User,
    member_count: Type.Integer(),
    expires_at: Nullable(Timestamp()),
    door_closed: Type.Boolean({ description: 'whether users who join wait for a moderator first' }),
  },
  { title: 'InvitePreview' },
)
export type InvitePreview = Static<typeof InvitePreview>

export const InviteCodeParams = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) })
export const SpaceInviteParams = Type.Object({ spaceId: Uuid(), inviteId: Uuid() })
