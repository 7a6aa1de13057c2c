import type { VoiceState } from '@foyer/protocol/voice'
import type { VoiceStatus, VoiceTarget } from './status.ts'

/** Returns the fields that op 4 and events use for a target. */
export function channelOf(target: VoiceTarget): { room_id: string | null; conversation_id: string | null } {
  return 'room_id' in target
    ? { room_id: target.room_id, conversation_id: null }
    : { room_id: null, conversation_id: target.conversation_id }
}

export function isSamePlace(one: VoiceTarget, other: VoiceTarget): boolean {
  const [a, b] = [channelOf(one), channelOf(other)]
  return a.room_id === b.room_id && a.conversation_id === b.conversation_id
}

/** Returns the target in a voice state; undefined after the user left. */
export function targetOf({ room_id, conversation_id }: VoiceState): VoiceTarget | undefined {
  if (room_id !== null) return { room_id }
  return conversation_id === null ? undefined : { conversation_id }
}

/** @param spaceId null while unknown, and for a conversation */
export function placeOf(target: VoiceTarget, spaceId: string | null): VoiceStatus['place'] {
  return { space_id: spaceId, ...channelOf(target) }
}
