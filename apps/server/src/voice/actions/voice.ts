import { isDeepStrictEqual } from 'node:util'
import type { VoiceOffer, VoiceSignal, VoiceWatch } from '@foyer/protocol/voice'
import type { ChannelAccess, ChannelDeps } from '#src/channels/access.ts'
import type { Config } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { VoiceHost } from '../hosts/hosts.ts'
import { findSessions, findStateOf, type SelfFlags, type StateRow } from '../queries.ts'
import { type EndingDeps, endSessions, releaseSession } from '../states/ending.ts'
import { changeFlags, enterPlace, type ReplacedSession } from '../states/states.ts'
import { placeOf } from './publishing.ts'

export interface VoiceDeps extends EndingDeps, ChannelDeps {
  config: Pick<Config, 'voice'>
}

type Grant = Extract<VoiceSignal, { kind: 'grant' }>

/**
 * Joins voice. Any session that the caller has elsewhere ends. If the media cannot start, the join is undone.
 * @throws ApiError with the errors of `accessVoice`, and voice_room_full, voice_unavailable, joined_elsewhere
 */
export async function joinVoice(
  deps: VoiceDeps,
  access: ChannelAccess,
  wanted: SelfFlags & ReplacedSession,
): Promise<Grant> {
  const { voiceHosts, config } = deps
  const given = { ...wanted, loginId: loginOf(access.caller) }
  const { entered, before } = await deps.database.transaction((transaction) =>
    enterPlace(transaction, { voiceHosts, roomLimit: config.voice.roomLimit }, access, given),
  )
  if (before !== undefined)
    await releaseSession(deps, before, before.login_id === entered.login_id ? 'moved' : 'taken_over')
  return openMedia(deps, entered)
}

/**
 * Starts the media of a new or moved session.
 * @throws ApiError voice_unavailable; joined_elsewhere if the user has joined again since; the errors of `accessVoice`
 * if the user has lost access
 */
export async function openMedia(deps: EndingDeps, state: StateRow): Promise<Grant> {
  const { session_id: id, user_id: userId, login_id: loginId } = state
  try {
    const session = { id, userId, loginId, place: placeOf(state) }
    const grant = await deps.voiceHosts.hostFor(state.host_id).join(session)
    return { kind: 'grant', session_id: id, grant }
  } catch (error) {
    await endSessions(deps, [id], 'failed')
    const now = await findStateOf(deps.database, userId)
    // Two devices that join simultaneously must not replace each other forever.
    throw now === undefined ? error : new ApiError('joined_elsewhere')
  }
}

/**
 * Changes the flags. If a camera or screen that the user turns on is refused, the other flags still apply: a user who
 * mutes themselves must be silent.
 * @throws ApiError with the errors of `changeFlags`; voice_unavailable if the media cannot be changed
 */
export async function changeSelf(
  { database, voiceHosts }: VoiceDeps,
  access: ChannelAccess,
  state: StateRow,
  self: SelfFlags,
): Promise<void> {
  const change = (flags: SelfFlags) =>
    database.transaction((transaction) => changeFlags(transaction, access, state, flags))
  const refusal = await change(self).then(
    () => undefined,
    (error: unknown) => error,
  )
  const held = withoutBeginning(state, self)
  if (refusal !== undefined && isDeepStrictEqual(held, self)) throw refusal
  if (refusal !== undefined) await change(held)
  // Called even if nothing changed: this also sends the users in the slots to a client that has reconnected.
  await voiceHosts.hostFor(state.host_id).refresh(state.session_id)
  if (refusal !== undefined) throw refusal
}

/** Returns the flags, but leaves a camera or screen off that was off before. */
function withoutBeginning(state: StateRow, self: SelfFlags): SelfFlags {
  return {
    ...self,
    self_video: self.self_video && state.self_video,
    self_stream: self.self_stream && state.self_stream,
  }
}

/** Ends the caller's session. @param sessionId if given, the caller's session ends only if it has this id */
export async function leaveVoice(
  deps: VoiceDeps,
  caller: Caller,
  sessionId: string | undefined,
): Promise<void> {
  const state = await findStateOf(deps.database, caller.user.id)
  const isMeant = sessionId === undefined || state?.session_id === sessionId
  if (state !== undefined && isMeant) await endSessions(deps, [state.session_id], 'left')
}

/**
 * Forwards a client's offer to the host of its session. Only the login that received the grant may send it.
 * @throws ApiError unknown_voice_session, invalid_offer, voice_unavailable
 */
export async function answerOffer(
  deps: VoiceDeps,
  caller: Caller,
  { session_id, sdp }: VoiceOffer,
): Promise<VoiceSignal> {
  const host = await hostOfOwn(deps, caller, session_id)
  return { kind: 'answer', session_id, sdp: await host.signal(session_id, sdp) }
}

/**
 * Sets the pictures that a session of the caller's login receives.
 * @throws ApiError unknown_voice_session, voice_unavailable
 */
export async function watchPictures(
  deps: VoiceDeps,
  caller: Caller,
  { session_id, watched }: VoiceWatch,
): Promise<void> {
  const host = await hostOfOwn(deps, caller, session_id)
  await host.watch(
    session_id,
    watched.map(({ user_id, source, height }) => ({ userId: user_id, source, height })),
  )
}

async function hostOfOwn(
  { database, voiceHosts }: VoiceDeps,
  caller: Caller,
  sessionId: string,
): Promise<VoiceHost> {
  const [state] = await findSessions(database, [sessionId])
  const isOwn = state?.user_id === caller.user.id && state.login_id === loginOf(caller)
  if (!isOwn) throw new ApiError('unknown_voice_session')
  return voiceHosts.hostFor(state.host_id)
}

/** Returns the id of the login, or of the bot: a bot has no logins, and its sessions end with its token. */
function loginOf(caller: Caller): string {
  return caller.kind === 'human' ? caller.sessionId : caller.user.id
}
