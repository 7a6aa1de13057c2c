import { type Static, Type } from 'typebox'
import { DEFAULT_PAGE, limits, MAX_PAGE } from './limits.ts'
import { Int32, Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

/** A member's id is the user's id. `roles` leaves out @everyone, which every member has. */
export const Member = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    user_id: Uuid(),
    nickname: Nullable(Type.String()),
    roles: Type.Array(Uuid()),
    joined_at: Timestamp(),
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

export const MemberWithUser = Type.Object(
  {
    ...Member.properties,
    user: User,
    position: Type.Integer({ description: "of the member's highest role" }),
  },
  { title: 'MemberWithUser' },
)
export type MemberWithUser = Static<typeof MemberWithUser>

export const ListMembersQuery = Type.Object(
  {
    after_id: Type.Optional(Uuid('member id of the cursor')),
    after_pos: Type.Optional(Int32()),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
  },
  { dependencies: { after_id: ['after_pos'], after_pos: ['after_id'] } },
)
export type ListMembersQuery = Static<typeof ListMembersQuery>

export const MemberParams = Type.Object({ spaceId: Uuid(), memberId: Uuid() })

export const UpdateMemberBody = Type.Object({
  nickname: Type.Optional(Nullable(Text(1, limits.nicknameMax))),
})
export type UpdateMemberBody = Static<typeof UpdateMemberBody>

export const BotMemberParams = Type.Object({ spaceId: Uuid(), botUserId: Uuid() })
