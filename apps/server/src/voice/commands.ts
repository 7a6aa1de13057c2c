import type { UpdateVoiceState, VoiceSignal } from '@foyer/protocol/voice'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessVoice, targetOf } from './access.ts'
import { changeSelf, joinVoice, leaveVoice, type VoiceDeps } from './actions/voice.ts'
import { findStateOf, type SelfFlags, type StateRow } from './queries.ts'

/** The part of a connection that voice needs. */
export interface VoiceClient {
  readonly caller: Caller
  /** False once the connection is closed. */
  readonly isConnected: () => boolean
  /** The voice session last granted to this connection. */
  sessionId: string | undefined
}

/**
 * Handles op 4: joins, moves, changes flags or leaves.
 * @returns the signal to answer with: a grant after a join
 * @throws ApiError with the errors of `joinVoice`; 404 for a `session_id` that is not the caller's session in this room
 * or call
 */
export async function updateVoiceState(
  deps: VoiceDeps,
  client: VoiceClient,
  wanted: UpdateVoiceState,
): Promise<VoiceSignal | undefined> {
  const { caller } = client
  const target = targetOf(wanted)
  const named = wanted.session_id ?? undefined
  if (target === undefined) {
    await leaveVoice(deps, caller, named)
    return undefined
  }
  const channelId = target.roomId ?? target.conversationId
  const state = await findStateOf(deps.database, caller.user.id)
  const here = state?.channel_id === channelId ? state : undefined
  if (here !== undefined && isOfSame(here, client, wanted)) {
    await changeSelf(deps, await accessVoice(deps, caller, target), here, selfOf(wanted))
    return undefined
  }
  if (named !== undefined) throw new ApiError('unknown_voice_session')
  const given = { ...selfOf(wanted), after: wanted.after_session_id ?? undefined }
  const access = await accessVoice(deps, caller, target)
  await deps.voiceHosts.waitForHost(deps.database)
  // The connection was closed during the wait. A client that has reconnected asks again.
  if (!client.isConnected()) return undefined
  const grant = await joinVoice(deps, access, given)
  client.sessionId = grant.session_id
  const { nonce } = wanted
  return typeof nonce === 'string' ? { ...grant, nonce } : grant
}

/**
 * Returns whether the user's session belongs to this client: the request names it, or omits `session_id` and the
 * session is the last one granted to this connection. Otherwise, another device of the user is joining.
 */
function isOfSame(
  { session_id }: StateRow,
  client: VoiceClient,
  { session_id: named = client.sessionId }: UpdateVoiceState,
): boolean {
  return session_id === named
}

function selfOf(wanted: UpdateVoiceState): SelfFlags {
  const { self_mute = false, self_deaf = false, self_video = false, self_stream = false } = wanted
  return { self_mute, self_deaf, self_video, self_stream }
}
