import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

export const Friend = Type.Object({ user: User, since: Timestamp() }, { title: 'Friend' })
export type Friend = Static<typeof Friend>

/** A sent request, without the private data of its recipient. */
export const SentFriendRequest = Type.Object(
  {
    id: Uuid(),
    sender_id: Uuid(),
    receiver_id: Uuid(),
    user_id: Uuid('the other party'),
    created_at: Timestamp(),
  },
  { title: 'SentFriendRequest' },
)
export type SentFriendRequest = Static<typeof SentFriendRequest>

export const FriendRequest = Type.Object(
  {
    ...SentFriendRequest.properties,
    user_username: Type.String(),
    user_alias: Nullable(Type.String()),
    user_avatar: Nullable(Uuid()),
  },
  { title: 'FriendRequest' },
)
export type FriendRequest = Static<typeof FriendRequest>

/** A user who is blocked. */
export const Block = Type.Object({ user: User, since: Timestamp() }, { title: 'Block' })
export type Block = Static<typeof Block>

export const SendFriendRequestBody = Type.Object({ user_id: Uuid() })
export type SendFriendRequestBody = Static<typeof SendFriendRequestBody>

export const FriendRequestParams = Type.Object({ requestId: Uuid() })
