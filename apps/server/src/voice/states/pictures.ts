import { Capability } from '@foyer/protocol/capabilities'
import { has, Permission } from '@foyer/protocol/permissions'
import { MAX_CAMERAS, MAX_SCREENS } from '@foyer/protocol/voice'
import type { ChannelAccess } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { holdRoom, refusalOf } from '#src/spaces/access.ts'
import { publishState } from '../actions/publishing.ts'
import { countPictures, findImposed, findSessions, lockUserVoice, saveSelf } from '../queries.ts'
import type { ShownPictures } from '../sessions/decisions.ts'

/**
 * Locks a room, and checks that the caller may be in voice there with this video. Does nothing for a conversation.
 * @throws ApiError with the errors of `holdRoom`, and missing_permission for the video
 */
export async function holdVoice(
  transaction: Transaction,
  { room, caller, place }: ChannelAccess,
  { self_video, self_stream }: ShownPictures,
): Promise<void> {
  if (room === null) return
  const held = await holdRoom(transaction, room, Permission.JoinVoice)
  const needed = (self_video ? Capability.UseVideo : 0) | (self_stream ? Capability.ShareScreen : 0)
  if (needed === 0) return
  if (!has(held.capabilities, needed)) throw refusalOf(held)
  const { mute, deaf } = await findImposed(transaction, place.tenantId, caller.user.id)
  if (mute || deaf) throw new ApiError('missing_permission', 'a member who is muted here shows no pictures')
}

/**
 * Checks the limits of cameras and screens in the place, whose lock must be held.
 * @throws ApiError camera_limit, screen_limit
 */
export async function checkPictureLimits(
  transaction: Transaction,
  place: Place,
  userId: string,
  { self_video, self_stream }: ShownPictures,
): Promise<void> {
  if (!self_video && !self_stream) return
  const { cameras, screens } = await countPictures(transaction, place, userId)
  if (self_video && cameras >= MAX_CAMERAS) throw new ApiError('camera_limit')
  if (self_stream && screens >= MAX_SCREENS) throw new ApiError('screen_limit')
}

/** Turns off the video flags of a session that the user may no longer have, and publishes its state. */
export async function takePictures(
  database: Database,
  sessionId: string,
  taken: ShownPictures,
): Promise<void> {
  const [found] = await findSessions(database, [sessionId])
  if (found === undefined) return
  await database.transaction(async (transaction) => {
    await lockUserVoice(transaction, found.user_id)
    const [state] = await findSessions(transaction, [sessionId])
    if (state === undefined) return
    const self = {
      self_mute: state.self_mute,
      self_deaf: state.self_deaf,
      self_video: state.self_video && !taken.self_video,
      self_stream: state.self_stream && !taken.self_stream,
    }
    const isSame = self.self_video === state.self_video && self.self_stream === state.self_stream
    if (isSame || !(await saveSelf(transaction, sessionId, self))) return
    publishState(transaction, { ...state, ...self })
  })
}
