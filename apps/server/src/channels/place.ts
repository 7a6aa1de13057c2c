import type { Channel } from '@foyer/protocol/channels'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'

/** The key of a channel: a room of a space, or a conversation, which is its own tenant. */
export interface Place {
  readonly tenantId: string
  readonly channelId: string
}

export function isConversation({ tenantId, channelId }: Place): boolean {
  return tenantId === channelId
}

/** Returns the channel's ids as payloads name them. */
export function channelOf(place: Place): Channel {
  const { tenantId, channelId } = place
  return isConversation(place)
    ? { room_id: null, conversation_id: channelId, space_id: null }
    : { room_id: channelId, conversation_id: null, space_id: tenantId }
}

/** Returns the topic of the channel's events. */
export function topicOfChannel(place: Place): Topic<'room' | 'conversation'> {
  const { tenantId, channelId } = place
  return isConversation(place) ? topicOf.conversation(channelId) : topicOf.room(tenantId, channelId)
}
