import type { Channel } from '@foyer/protocol/channels'
import { type Event, type Topic, topicOf } from '#src/kernel/journal/bus.ts'

/** The key of a channel: of a room or a thread in a space, or of a conversation, which is its own tenant. */
export interface Place {
  readonly tenantId: string
  readonly channelId: string
  /** The room that a thread belongs to; undefined for other channels. */
  readonly parentId?: string | undefined
}

export function isConversation({ tenantId, channelId }: Place): boolean {
  return tenantId === channelId
}

/** Returns the room whose permissions and rules apply in a room or thread. */
export function roomOf({ channelId, parentId }: Place): string {
  return parentId ?? channelId
}

/** Returns the place of a stored message. */
export function placeOfRow(
  tenantId: string,
  { channel_id, parent_id }: { channel_id: string; parent_id: string | null },
): Place {
  return { tenantId, channelId: channel_id, ...(parent_id !== null && { parentId: parent_id }) }
}

export function placeOfThread(thread: { id: string; space_id: string; room_id: string }): Place {
  return { tenantId: thread.space_id, channelId: thread.id, parentId: thread.room_id }
}

/** Returns the channel's ids as payloads name them. */
export function channelOf(place: Place): Channel {
  const { tenantId, channelId, parentId } = place
  if (isConversation(place)) return { room_id: null, conversation_id: channelId, space_id: null }
  const room = { room_id: channelId, conversation_id: null, space_id: tenantId }
  return parentId === undefined ? room : { ...room, parent_room_id: parentId }
}

/** Returns the place that a payload names; undefined if the payload names no channel. */
export function placeNamed({
  room_id,
  conversation_id,
  space_id,
  parent_room_id,
}: Channel): Place | undefined {
  const channelId = room_id ?? conversation_id
  if (channelId === null) return undefined
  return { tenantId: space_id ?? channelId, channelId, parentId: parent_room_id }
}

/** Returns the topic of the channel's events. */
export function topicOfChannel(place: Place): Topic<'room' | 'thread' | 'conversation'> {
  const { tenantId, channelId, parentId } = place
  if (isConversation(place)) return topicOf.conversation(channelId)
  return parentId === undefined ? topicOf.room(tenantId, channelId) : topicOf.thread(tenantId, parentId)
}

const ROOM_FIELD = '"room_id":"'
const ID_LENGTH = 36

/** Returns the id of the channel that an event is about: from the topic, or for a thread from the data. */
export function channelIdOf({ topic, data }: Pick<Event, 'topic' | 'data'>): string {
  if (topic.kind !== 'thread') return topic.channelId
  // In the data, only ids precede this field, so text written by users cannot match before it.
  const start = data.indexOf(ROOM_FIELD) + ROOM_FIELD.length
  return data.slice(start, start + ID_LENGTH)
}

/** Returns the place that an event of a message is about. */
export function placeOfEvent(event: Pick<Event, 'topic' | 'data'>): Place {
  const { kind, tenantId, channelId } = event.topic
  const parentId = kind === 'thread' ? channelId : undefined
  return { tenantId, channelId: channelIdOf(event), parentId }
}
