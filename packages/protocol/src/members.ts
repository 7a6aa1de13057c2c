import { type Static, Type } from 'typebox'
import { DEFAULT_PAGE, limits, MAX_LIST_RANGES, MAX_PAGE } from './limits.ts'
import { Presence } from './presence.ts'
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

export const ListMembersQuery = Type.Object({
  after_id: Type.Optional(Uuid('the last member of the page before; alone, at the position it has now')),
  after_pos: Type.Optional(Int32('position of that member; alone, only lower positions follow')),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
})
export type ListMembersQuery = Static<typeof ListMembersQuery>

export const MemberParams = Type.Object({ spaceId: Uuid(), memberId: Uuid() })

export const UpdateMemberBody = Type.Object({
  nickname: Type.Optional(Nullable(Text(1, limits.nicknameMax))),
})
export type UpdateMemberBody = Static<typeof UpdateMemberBody>

export const BotMemberParams = Type.Object({ spaceId: Uuid(), botUserId: Uuid() })

/** Asks for members by the beginning of a name, or by their ids. */
export const RequestMembers = Type.Object({
  space_id: Uuid(),
  query: Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.nicknameMax,
        description: 'what a username, alias or nickname begins with',
      }),
    ),
  ),
  user_ids: Type.Optional(Nullable(Type.Array(Uuid(), { maxItems: MAX_PAGE }))),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE, description: 'of what a query finds' }),
  ),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: limits.nonceMax }))),
})
export type RequestMembers = Static<typeof RequestMembers>

/** A part of what answers a request for members. */
export const MembersChunk = Type.Object({
  space_id: Uuid(),
  members: Type.Array(MemberWithUser),
  presences: Type.Array(Presence, { description: 'of those members who are not offline' }),
  not_found: Type.Array(Uuid(), { description: 'of the ids that were asked for, those of no member' }),
  chunk_index: Type.Integer(),
  chunk_count: Type.Integer(),
  nonce: Nullable(Type.String()),
})
export type MembersChunk = Static<typeof MembersChunk>

/** From and to, both of them included, in the order of the list of members. */
const MemberRange = Type.Array(Type.Integer({ minimum: 0, maximum: 2147483647 }), {
  minItems: 2,
  maxItems: 2,
  description: 'from and to, both included, 100 members at most',
})

/** The parts of a space to receive. It replaces the previous subscription. */
export const Subscribe = Type.Object({
  space_id: Uuid(),
  member_ranges: Type.Optional(
    Nullable(
      Type.Array(MemberRange, {
        maxItems: MAX_LIST_RANGES,
        description: 'what is shown of the list of members',
      }),
    ),
  ),
  room_id: Type.Optional(
    Nullable(Uuid('a room of the space: the list has only the members who may view it')),
  ),
  presence: Type.Optional(
    Type.Boolean({ default: true, description: 'whether to hear the presence of members in these ranges' }),
  ),
  typing: Type.Optional(
    Type.Boolean({ default: true, description: 'whether to hear who types or records there' }),
  ),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: limits.nonceMax }))),
})
export type Subscribe = Static<typeof Subscribe>

/** The current member list of a space or room. Contains the complete order of each range that changed. */
export const MemberListUpdate = Type.Object({
  space_id: Uuid(),
  room_id: Nullable(Uuid('the room that SUBSCRIBE named')),
  groups: Type.Array(
    Type.Object({
      id: Type.String({ description: 'a hoisted role, `online` or `offline`' }),
      count: Type.Integer(),
    }),
    { description: 'in their order, those without a member left out' },
  ),
  online_count: Type.Integer(),
  member_count: Type.Integer(),
  ranges: Type.Array(
    Type.Object({
      from: Type.Integer(),
      to: Type.Integer(),
      user_ids: Type.Array(Uuid(), { description: 'fewer than were asked for where the list ends' }),
    }),
    { description: 'those that are others than before' },
  ),
  members: Type.Array(MemberWithUser, {
    description: 'those in the ranges that are new there, or were changed',
  }),
  presences: Type.Array(Presence, { description: 'of these members, if they are not offline' }),
})
export type MemberListUpdate = Static<typeof MemberListUpdate>
