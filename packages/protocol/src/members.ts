import { type Static, Type } from 'typebox'
import { DEFAULT_PAGE, limits, MAX_LIST_RANGES, MAX_PAGE, MAX_TIMEOUT_DAYS } from './limits.ts'
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
    timeout_until: Nullable(
      Timestamp('until then the member can only read and listen; null, or past, if they can talk'),
    ),
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
  after_id: Type.Optional(
    Uuid('the last member of the previous page; without after_pos, at their current position'),
  ),
  after_pos: Type.Optional(Int32('position of that member; without after_id, only lower positions follow')),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
})
export type ListMembersQuery = Static<typeof ListMembersQuery>

export const MemberParams = Type.Object({ spaceId: Uuid(), memberId: Uuid() })

export const UpdateMemberBody = Type.Object({
  nickname: Type.Optional(Nullable(Text(1, limits.nicknameMax))),
})
export type UpdateMemberBody = Static<typeof UpdateMemberBody>

/** The timeout of a member, who may only read and listen. */
export const Timeout = Type.Object(
  {
    space_id: Uuid(),
    user_id: Uuid(),
    until: Timestamp(),
    reason: Nullable(Type.String()),
    moderator_id: Nullable(Uuid('the user who set it; null for an automod rule')),
    created_at: Timestamp(),
  },
  { title: 'Timeout' },
)
export type Timeout = Static<typeof Timeout>

export const TimeoutBody = Type.Object({
  until: Timestamp(`at most ${MAX_TIMEOUT_DAYS} days from now`),
  reason: Type.Optional(Nullable(Text(0, limits.banReasonMax))),
})
export type TimeoutBody = Static<typeof TimeoutBody>

export const BotMemberParams = Type.Object({ spaceId: Uuid(), botUserId: Uuid() })

/** Requests members by the beginning of a name, or by their ids. */
export const RequestMembers = Type.Object({
  space_id: Uuid(),
  query: Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.nicknameMax,
        description: 'start of a username, alias or nickname',
      }),
    ),
  ),
  user_ids: Type.Optional(Nullable(Type.Array(Uuid(), { maxItems: MAX_PAGE }))),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE,
      default: MAX_PAGE,
      description: 'maximum number of members for a query',
    }),
  ),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: limits.nonceMax }))),
})
export type RequestMembers = Static<typeof RequestMembers>

/** A part of the answer to a request for members. */
export const MembersChunk = Type.Object({
  space_id: Uuid(),
  members: Type.Array(MemberWithUser),
  presences: Type.Array(Presence, { description: 'of these members, if they are not offline' }),
  not_found: Type.Array(Uuid(), { description: 'requested ids that are not of members' }),
  chunk_index: Type.Integer(),
  chunk_count: Type.Integer(),
  nonce: Nullable(Type.String()),
})
export type MembersChunk = Static<typeof MembersChunk>

/** First and last index in the list of members, both included. */
const MemberRange = Type.Array(Type.Integer({ minimum: 0, maximum: 2147483647 }), {
  minItems: 2,
  maxItems: 2,
  description: 'from and to, both included; at most 100 members',
})

/** A subscription to events of a space. It replaces the connection's previous subscription to that space. */
export const Subscribe = Type.Object({
  space_id: Uuid(),
  member_ranges: Type.Optional(
    Nullable(
      Type.Array(MemberRange, {
        maxItems: MAX_LIST_RANGES,
        description: 'ranges of the member list to receive',
      }),
    ),
  ),
  room_id: Type.Optional(Nullable(Uuid('a room of the space: only members who may view it are listed'))),
  presence: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'whether to receive the presence of members in these ranges',
    }),
  ),
  typing: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'whether to receive typing and recording events of the space',
    }),
  ),
  nonce: Type.Optional(Nullable(Type.String({ maxLength: limits.nonceMax }))),
})
export type Subscribe = Static<typeof Subscribe>

/** The current member list of a space or room. Contains the complete order of each range that changed. */
export const MemberListUpdate = Type.Object({
  space_id: Uuid(),
  room_id: Nullable(Uuid('the room given in SUBSCRIBE')),
  groups: Type.Array(
    Type.Object({
      id: Type.String({ description: 'a hoisted role, `online` or `offline`' }),
      count: Type.Integer(),
    }),
    { description: 'in order, without empty groups' },
  ),
  online_count: Type.Integer(),
  member_count: Type.Integer(),
  ranges: Type.Array(
    Type.Object({
      from: Type.Integer(),
      to: Type.Integer(),
      user_ids: Type.Array(Uuid(), { description: 'fewer than requested at the end of the list' }),
    }),
    { description: 'ranges that changed' },
  ),
  members: Type.Array(MemberWithUser, {
    description: 'members in the ranges that are new or have changed',
  }),
  presences: Type.Array(Presence, { description: 'of these members, if they are not offline' }),
})
export type MemberListUpdate = Static<typeof MemberListUpdate>
