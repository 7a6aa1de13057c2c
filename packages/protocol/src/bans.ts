import { type Static, Type } from 'typebox'
import { limits, MAX_BAN_DELETE_SECONDS, MAX_BANS_PAGE } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

/** A user who may not join again. */
export const Ban = Type.Object(
  {
    space_id: Uuid(),
    user_id: Uuid(),
    user: User,
    reason: Nullable(Type.String()),
    banned_by: Uuid('the user who banned them'),
    created_at: Timestamp(),
  },
  { title: 'Ban' },
)
export type Ban = Static<typeof Ban>

export const BanBody = Type.Object({
  reason: Type.Optional(Nullable(Text(0, limits.banReasonMax))),
  delete_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_BAN_DELETE_SECONDS,
      description: 'their messages that are at most this many seconds old are deleted',
    }),
  ),
})
export type BanBody = Static<typeof BanBody>

/** Bans are sorted by user id. */
export const ListBansQuery = Type.Object({
  after: Type.Optional(Uuid('user id of the last ban of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_BANS_PAGE, default: MAX_BANS_PAGE })),
})
export type ListBansQuery = Static<typeof ListBansQuery>

export const BanParams = Type.Object({ spaceId: Uuid(), userId: Uuid() })
