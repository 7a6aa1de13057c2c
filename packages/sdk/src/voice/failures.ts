import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { VoiceFailure } from './status.ts'

/**
 * A failure that another attempt may repair: media stopped or never arrived, or the server was temporarily unavailable.
 */
export type Setback = 'lost' | 'unreachable' | 'refused'

/** The reaction to a failure: give up with a reason, or try again. */
export type Reaction = { reason: VoiceFailure } | { setback: Setback }

/** Reactions to the end of a session by the server. */
export const reactionToEnd: Readonly<Record<VoiceEndReason, Reaction>> = {
  left: { setback: 'lost' },
  failed: { setback: 'refused' },
  unreachable: { setback: 'unreachable' },
  moved: { reason: 'taken_over' },
  taken_over: { reason: 'taken_over' },
  disconnected: { reason: 'kicked' },
  permission_lost: { reason: 'permission' },
  room_deleted: { reason: 'room_deleted' },
  session_ended: { reason: 'session_ended' },
}

const reactionsToRefusal: Readonly<Record<string, Reaction>> = {
  voice_room_full: { reason: 'full' },
  joined_elsewhere: { reason: 'taken_over' },
  missing_permission: { reason: 'permission' },
  not_a_member: { reason: 'permission' },
  blocked_conversation: { reason: 'permission' },
  cannot_converse: { reason: 'permission' },
  unknown_room: { reason: 'room_deleted' },
  unknown_conversation: { reason: 'room_deleted' },
  unknown_voice_session: { setback: 'refused' },
}

/** Error codes after which the same request may succeed later. */
const PASSING = new Set(['rate_limited', 'unavailable', 'voice_unavailable', 'timeout', 'internal'])

/** @param code error code of op 12 */
export function isPassing(code: string): boolean {
  return PASSING.has(code)
}

/** @param code error code of op 12 */
export function reactionToRefusal(code: string): Reaction {
  return reactionsToRefusal[code] ?? (isPassing(code) ? { setback: 'refused' } : { reason: 'unavailable' })
}
