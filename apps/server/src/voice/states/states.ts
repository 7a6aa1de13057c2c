import type { ChannelAccess } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { placeOf, publishJoin, publishLeave, publishState } from '../actions/publishing.ts'
import type { VoiceHosts } from '../hosts/hosts.ts'
import {
  countOthers,
  deleteSessions,
  findSessions,
  findStateOf,
  insertState,
  lockPlaces,
  lockUserVoice,
  type SelfFlags,
  type StateRow,
  saveSelf,
} from '../queries.ts'
import { checkPictureLimits, holdVoice } from './pictures.ts'

export interface EnteringDeps {
  voiceHosts: VoiceHosts
  /** Maximum users per place. */
  roomLimit: number
}

/** The only session that a join may replace; undefined allows any. */
export interface ReplacedSession {
  readonly after?: string | undefined
}

/** The result of a join: the new state, and the state that it replaces. */
export interface JoinResult {
  readonly entered: StateRow
  readonly before: StateRow | undefined
}

/**
 * Gives the caller a new session in the place, if they still may enter, and ends their current one. Locks are always
 * taken in this order: space, user, places, states, calls.
 * @throws ApiError with the errors of `holdVoice` and `checkPictureLimits`, and voice_room_full, voice_unavailable,
 * joined_elsewhere
 */
export async function enterPlace(
  transaction: Transaction,
  deps: EnteringDeps,
  access: ChannelAccess,
  { loginId, after, ...self }: SelfFlags & ReplacedSession & { loginId: string },
): Promise<JoinResult> {
  const { place, caller } = access
  const userId = caller.user.id
  await holdVoice(transaction, access, self)
  await lockUserVoice(transaction, userId)
  const found = await findStateOf(transaction, userId)
  if (after !== undefined && found !== undefined && found.session_id !== after)
    throw new ApiError('joined_elsewhere')
  await lockPlaces(transaction, found === undefined ? [place] : [placeOf(found), place])
  await checkNotFull(transaction, deps, place, userId)
  await checkPictureLimits(transaction, place, userId, self)
  const before = found && (await takeAway(transaction, found))
  const isRejoin = before?.channel_id === place.channelId
  // Published before the new state, because a call ends when its last user leaves.
  if (before !== undefined && !isRejoin) await publishLeave(transaction, before)
  const hostId = await deps.voiceHosts.choose(transaction, place)
  const joinedAt = isRejoin ? before.joined_at : null
  await insertState(transaction, { ...self, userId, place, sessionId: newId(), loginId, hostId, joinedAt })
  return { entered: await publishJoin(transaction, userId), before }
}

/**
 * Changes the flags of a user's session, and publishes them if they differ.
 * @param access the caller's access to the session's place
 * @throws ApiError 404 for an ended session; for video that is turned on, the errors of `holdVoice` and
 * `checkPictureLimits`
 */
export async function changeFlags(
  transaction: Transaction,
  access: ChannelAccess,
  { session_id: sessionId, ...known }: StateRow,
  self: SelfFlags,
): Promise<void> {
  const userId = access.caller.user.id
  const began = {
    self_video: self.self_video && !known.self_video,
    self_stream: self.self_stream && !known.self_stream,
  }
  if (began.self_video || began.self_stream) await holdVoice(transaction, access, began)
  await lockUserVoice(transaction, userId)
  const [state] = await findSessions(transaction, [sessionId])
  if (state?.user_id !== userId) throw new ApiError('unknown_voice_session')
  const flags = ['self_mute', 'self_deaf', 'self_video', 'self_stream'] as const
  const kept = {
    ...self,
    // Video that the server has turned off since then stays off.
    self_video: self.self_video && (began.self_video || state.self_video),
    self_stream: self.self_stream && (began.self_stream || state.self_stream),
  }
  if (flags.every((flag) => state[flag] === kept[flag])) return
  await lockPlaces(transaction, [placeOf(state)])
  await checkPictureLimits(transaction, placeOf(state), userId, began)
  if (!(await saveSelf(transaction, sessionId, kept))) throw new ApiError('unknown_voice_session')
  publishState(transaction, { ...state, ...kept })
}

/** @throws ApiError 403 if the place is full */
export async function checkNotFull(
  transaction: Transaction,
  { roomLimit }: Pick<EnteringDeps, 'roomLimit'>,
  place: Place,
  userId: string,
): Promise<void> {
  const others = await countOthers(transaction, place, userId)
  if (others >= roomLimit) throw new ApiError('voice_room_full')
}

/** Deletes the state, and returns it; undefined if it ended in between. */
async function takeAway(transaction: Transaction, state: StateRow): Promise<StateRow | undefined> {
  const [deleted] = await deleteSessions(transaction, [state.session_id])
  return deleted === undefined ? undefined : state
}
