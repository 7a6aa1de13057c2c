import { type Static, Type } from 'typebox'
import { Nullable, Uuid } from './schema.ts'

/** Where messages are: a room of a space, or a conversation. Exactly one of the first two is not null. */
export const ChannelPlace = {
  room_id: Nullable(Uuid()),
  conversation_id: Nullable(Uuid()),
  space_id: Nullable(Uuid()),
}
export const Channel = Type.Object(ChannelPlace)
export type Channel = Static<typeof Channel>

/** Of a path: one of the two is there. */
export interface ChannelParams {
  roomId?: string | undefined
  conversationId?: string | undefined
}

/** What a room and a conversation have in common stands below each of these paths, with parameters of these shapes. */
export const channelPaths = [
  { base: '/api/rooms/:roomId', params: Type.Object({ roomId: Uuid() }) },
  { base: '/api/conversations/:conversationId', params: Type.Object({ conversationId: Uuid() }) },
] as const
