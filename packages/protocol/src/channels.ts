import { type Static, Type } from 'typebox'
import { Nullable, Uuid } from './schema.ts'

/** The channel of a message: a room of a space, or a conversation. Exactly one of the first two fields is not null. */
export const ChannelPlace = {
  room_id: Nullable(Uuid()),
  conversation_id: Nullable(Uuid()),
  space_id: Nullable(Uuid()),
  parent_room_id: Type.Optional(Uuid('only of a thread: the room it belongs to. `room_id` is the thread')),
}
export const Channel = Type.Object(ChannelPlace)
export type Channel = Static<typeof Channel>

/** Path parameters that name a channel. Exactly one is present. */
export interface ChannelParams {
  roomId?: string | undefined
  conversationId?: string | undefined
}

/** Prefixes of the routes that rooms and conversations share, with their parameters. */
export const channelPaths = [
  { base: '/api/rooms/:roomId', params: Type.Object({ roomId: Uuid() }) },
  { base: '/api/conversations/:conversationId', params: Type.Object({ conversationId: Uuid() }) },
] as const
