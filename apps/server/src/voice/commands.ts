import type { UpdateVoiceState, VoiceSignal } from '@foyer/protocol/voice'
import type { Caller } from '#src/kernel/credentials.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { accessVoice, targetOf } from './access.ts'
import { changeSelf, joinVoice, leaveVoice, type VoiceDeps } from './actions.ts'
import { findStateOf, type SelfFlags, type StateRow } from './queries.ts'

/** A connection, as far as voice knows it. */
export interface VoiceClient {
  readonly caller: Caller
  /** The session that it was granted last. */
  sessionId: string | undefined
}

/**
 * op 4: joins, moves, changes flags or leaves.
 * @returns what to answer: a grant for who joined
 * @throws ApiError as `joinVoice`; 404 for a named session that is not the caller's in this place
 */
export async function updateVoiceState(
  deps: VoiceDeps,
  seat: VoiceClient,
  wanted: UpdateVoiceState,
): Promise<VoiceSignal | undefined> {
  const { caller } = seat
  const target = targetOf(wanted)
  const named = wanted.session_id ?? undefined
  if (target === undefined) {
    await leaveVoice(deps, caller, named)
    return undefined
  }
  const channelId = target.roomId ?? target.conversationId
  const state = await findStateOf(deps.database, caller.user.id)
  const here = state?.channel_id === channelId ? state : undefined
  if (here !== undefined && isOfSame(here, seat, wanted)) {
    await changeSelf(deps, here, selfOf(wanted))
    return undefined
  }
  if (named !== undefined) throw new ApiError('unknown_voice_session')
  const grant = await joinVoice(deps, await accessVoice(deps, caller, target), selfOf(wanted))
  seat.sessionId = grant.session_id
  const { nonce } = wanted
  return typeof nonce === 'string' ? { ...grant, nonce } : grant
}

/** Whether the client has the session that is there: as it says, or as the connection shows. Another device of the user's joins. */
function isOfSame(
  { session_id }: StateRow,
  seat: VoiceClient,
  { session_id: named = seat.sessionId }: UpdateVoiceState,
): boolean {
  return session_id === named
}

function selfOf(wanted: UpdateVoiceState): SelfFlags {
  const { self_mute = false, self_deaf = false, self_video = false, self_stream = false } = wanted
  return { self_mute, self_deaf, self_video, self_stream }
}
