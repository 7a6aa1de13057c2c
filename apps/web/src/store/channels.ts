import type { Message } from '@foyer/protocol/messages'
import type { Room } from '@foyer/protocol/rooms'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { type State, without } from './state.ts'

/** Returns the id of a room or conversation. Ids are unique among all channels. */
export function channelIdOf(address: ChannelAddress): string {
  return typeof address === 'string' ? address : address.conversation
}

interface InChannel {
  readonly room_id: string | null
  readonly conversation_id: string | null
}

/** Returns the id of the channel that an event or wire object belongs to. */
export function channelOfEvent({ room_id, conversation_id }: InChannel): string {
  return room_id ?? conversation_id ?? ''
}

/** Returns the address that requests use for the channel of an event or wire object. */
export function addressOf({ room_id, conversation_id }: InChannel): ChannelAddress {
  return room_id ?? { conversation: conversation_id ?? '' }
}

/** Returns a room, or a thread in the shape of a room. */
export function roomOf(
  { rooms, threads }: Pick<State, 'rooms' | 'threads'>,
  id: string | null,
): Room | undefined {
  return rooms[id ?? ''] ?? threads[id ?? '']
}

/** Returns the id of the room whose rights and settings hold in a channel: for a thread, its room. */
export function ownerRoomOf({ threads }: Pick<State, 'threads'>, id: string): string {
  return threads[id]?.parent_id ?? id
}

/** Returns the key of a message removed from a channel. It contains the channel, because a moved message keeps its id. */
export function tombstoneOf(channelId: string, messageId: string): string {
  return `${channelId} ${messageId}`
}

export function isKnownChannel(
  state: Pick<State, 'rooms' | 'threads' | 'conversations'>,
  id: string,
): boolean {
  return roomOf(state, id) !== undefined || id in state.conversations
}

/** Returns the `seq` of the newest known message of a channel, or 0. */
export function lastSeqOf(state: State, channelId: string): number {
  return roomOf(state, channelId)?.last_seq ?? state.conversations[channelId]?.last_seq ?? 0
}

/** Returns the updated room or thread. Its data may be older than a message received, so `last_seq` never goes back. */
export function newerRoom<T extends Room>(known: Room | undefined, room: T): T {
  if (known === undefined || known.last_seq <= room.last_seq) return room
  return { ...room, last_seq: known.last_seq, last_message_id: known.last_message_id }
}

/** Sets the newest message of a channel. Older values are ignored. */
export function withLastSeq(
  state: State,
  channelId: string,
  { seq, id, created_at }: Pick<Message, 'seq' | 'id' | 'created_at'>,
): State {
  if (lastSeqOf(state, channelId) >= seq) return state
  const newest = { last_seq: seq, last_message_id: id }
  const { [channelId]: room } = state.rooms
  const { [channelId]: thread } = state.threads
  const { [channelId]: conversation } = state.conversations
  if (room !== undefined) return { ...state, rooms: { ...state.rooms, [channelId]: { ...room, ...newest } } }
  if (thread !== undefined) {
    // A message wakes its thread without a THREAD_UPDATE.
    const awake = { ...thread.thread, is_asleep: false, active_at: created_at }
    return { ...state, threads: { ...state.threads, [channelId]: { ...thread, ...newest, thread: awake } } }
  }
  if (conversation === undefined) return state
  return { ...state, conversations: { ...state.conversations, [channelId]: { ...conversation, ...newest } } }
}

/**
 * Removes a channel's messages, typing indicators, voice states and call. Read states, drafts and the outbox stay, because
 * the user may regain access.
 */
export function withoutChannel(state: State, channelId: string): State {
  return {
    ...state,
    timelines: without(state.timelines, channelId),
    typing: without(state.typing, channelId),
    voices: without(state.voices, channelId),
    calls: without(state.calls, channelId),
  }
}
