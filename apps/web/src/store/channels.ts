import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { type State, without } from './state.ts'

/** The id of a room or of a conversation: no two channels have the same. */
export function channelIdOf(address: ChannelAddress): string {
  return typeof address === 'string' ? address : address.conversation
}

interface InChannel {
  readonly room_id: string | null
  readonly conversation_id: string | null
}

/** The id of the channel that an event, or an object of the wire, is of. */
export function channelOfEvent({ room_id, conversation_id }: InChannel): string {
  return room_id ?? conversation_id ?? ''
}

/** As requests name the channel of an event, or of an object of the wire. */
export function addressOf({ room_id, conversation_id }: InChannel): ChannelAddress {
  return room_id ?? { conversation: conversation_id ?? '' }
}

/** The `seq` of the newest message ever sent there, as far as it is known; 0 before the first. */
export function lastSeqOf({ rooms, conversations }: State, channelId: string): number {
  return rooms[channelId]?.last_seq ?? conversations[channelId]?.last_seq ?? 0
}

/** The state once the channel's newest message is this one; it never goes back. */
export function withLastSeq(
  state: State,
  channelId: string,
  { seq, id }: { seq: number; id: string },
): State {
  if (lastSeqOf(state, channelId) >= seq) return state
  const newest = { last_seq: seq, last_message_id: id }
  const { [channelId]: room } = state.rooms
  const { [channelId]: conversation } = state.conversations
  if (room !== undefined) return { ...state, rooms: { ...state.rooms, [channelId]: { ...room, ...newest } } }
  if (conversation === undefined) return state
  return { ...state, conversations: { ...state.conversations, [channelId]: { ...conversation, ...newest } } }
}

/**
 * The state without what was kept of a channel's messages, but how far they were read, and what one began to write or did
 * not get sent: one may see it again.
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
