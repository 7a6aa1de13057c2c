import { isDeepStrictEqual } from 'node:util'
import type { Member } from '@foyer/protocol/members'
import { has, Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { MAX_CAMERAS, MAX_SCREENS, type MemberVoice, type UpdateMemberVoiceBody } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { accessRoomIn, type HeldSpace, holdSpace, refusalOf, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { findMemberBelow } from '#src/spaces/hierarchy.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'
import { checkHasVoice } from '../access.ts'
import {
  countPictures,
  findImposed,
  findStateOf,
  type ImposedFlags,
  lockPlaces,
  lockUserVoice,
  type StateRow,
  saveImposed,
  savePlace,
  saveSelf,
} from '../queries.ts'
import { sendSignals } from '../signals/signals.ts'
import { endStates, releaseSession } from '../states/ending.ts'
import { checkNotFull } from '../states/states.ts'
import { placeOf, publishJoin, publishLeave, publishState } from './publishing.ts'
import { openMedia, type VoiceDeps } from './voice.ts'

const MAY_BE_THERE = Permission.ViewChannels | Permission.JoinVoice

/** The result of `changeMember`: the member's flags, and their voice state in the space before and after the change. */
interface Change {
  readonly imposed: ImposedFlags
  /** `before` and `now` are undefined while the member is in no voice room of the space that the caller can view. */
  readonly before: StateRow | undefined
  readonly now: StateRow | undefined
}

/**
 * Moves a member below the caller to another room of the space, or disconnects them. Administrators can also mute and
 * deafen a member, in voice or not. Resolves when the member's media has changed, too.
 * @throws ApiError 403 without the right, for a member not below the caller, or if the member may not join the room;
 * 404 for a non-member, or when moving or disconnecting a member who is in no voice room of the space; 400 for a room
 * without voice; voice_room_full, voice_unavailable
 */
export async function updateMemberVoice(
  deps: VoiceDeps,
  access: SpaceAccess,
  memberId: string,
  body: UpdateMemberVoiceBody,
): Promise<MemberVoice> {
  const change = await deps.database.transactionIn(access.spaceId, (transaction) =>
    changeMember(transaction, deps, { access, memberId, body }),
  )
  await applyToMedia(deps, change)
  const { imposed, now } = change
  return { user_id: memberId, ...imposed, room_id: now?.room_id ?? null }
}

interface Asked {
  access: SpaceAccess
  memberId: string
  body: UpdateMemberVoiceBody
}

async function changeMember(
  transaction: Transaction,
  deps: VoiceDeps,
  { access, memberId, body }: Asked,
): Promise<Change> {
  const held = await holdSpace(transaction, access, 'MoveMembers')
  const imposes = body.mute !== undefined || body.deaf !== undefined
  if (imposes && !has(held.permissions, Permission.Administrator)) throw refusalOf(held)
  const member = await findMemberBelow(transaction, held, memberId)
  const state = await holdState(transaction, member, body.room_id)
  // To the caller, a room that they cannot view does not exist.
  const before = state && mayView(held, state.channel_id) ? state : undefined
  const old = await findImposed(transaction, member.space_id, memberId)
  const imposed = { mute: body.mute ?? old.mute, deaf: body.deaf ?? old.deaf }
  if (!isSame(old, imposed)) await saveImposed(transaction, member.space_id, memberId, imposed)
  const staysIn = [undefined, before?.room_id].includes(body.room_id)
  const now = staysIn
    ? before && publishImposed(transaction, before, imposed)
    : await place(transaction, deps, { held, member, before, roomId: body.room_id })
  const [was, is] = [shownOf(old, before), shownOf(imposed, now)]
  const target = { type: 'user', id: memberId, before: was, after: is } as const
  if (!isDeepStrictEqual(was, is)) await record(transaction, held, 'member_voice', target)
  return { imposed, before, now }
}

function shownOf({ mute, deaf }: ImposedFlags, state: StateRow | undefined) {
  return { mute, deaf, room_id: state?.room_id ?? null }
}

interface Placement {
  held: HeldSpace
  member: Member
  before: StateRow | undefined
  roomId: string | null | undefined
}

/** Moves the member to the room. Without a room, disconnects them. */
async function place(
  transaction: Transaction,
  deps: VoiceDeps,
  { held, member, before, roomId }: Placement,
): Promise<StateRow | undefined> {
  if (before === undefined) throw new ApiError('not_in_voice')
  if (roomId === null || roomId === undefined) {
    await endStates(transaction, [before.session_id], 'disconnected')
    return undefined
  }
  return move(transaction, deps, before, roomToJoin(held, member, roomId))
}

function mayView({ snapshot, member }: HeldSpace, roomId: string): boolean {
  return has(permissionsInRoom(snapshot, member, roomId), Permission.ViewChannels)
}

/** Returns the member's voice state in the space, locked until the transaction ends. */
async function holdState(
  transaction: Transaction,
  { space_id, user_id }: Member,
  targetId: string | null | undefined,
): Promise<StateRow | undefined> {
  await lockUserVoice(transaction, user_id)
  const found = await findStateOf(transaction, user_id)
  if (found?.tenant_id !== space_id) return undefined
  const from = placeOf(found)
  await lockPlaces(transaction, [from, { ...from, channelId: targetId ?? from.channelId }])
  // The state may have ended while waiting for the locks.
  return findStateOf(transaction, user_id)
}

/** Returns the state with the imposed flags, and publishes it if they changed. */
function publishImposed(transaction: Transaction, before: StateRow, imposed: ImposedFlags): StateRow {
  const now = { ...before, ...imposed }
  if (!isSame(before, imposed)) publishState(transaction, now)
  return now
}

/** Returns a voice room that the caller sees and the member may join. */
function roomToJoin(held: HeldSpace, member: Member, roomId: string): Room {
  const { room, snapshot } = accessRoomIn(held, roomId)
  checkHasVoice(room.type)
  const mayJoin = has(permissionsInRoom(snapshot, member, roomId), MAY_BE_THERE)
  if (!mayJoin) throw new ApiError('missing_permission', 'the member may not join this room')
  return room
}

/** Moves the session to the room. The session keeps its id, so that the client recognizes it, but its media restarts. */
async function move(
  transaction: Transaction,
  { voiceHosts, config }: VoiceDeps,
  before: StateRow,
  room: Room,
): Promise<StateRow> {
  const place = { tenantId: room.space_id, channelId: room.id }
  await checkNotFull(transaction, config.voice, place, before.user_id)
  await keepPictures(transaction, place, before)
  const hostId = await voiceHosts.choose(transaction, place)
  await savePlace(transaction, before.session_id, place, hostId)
  await publishLeave(transaction, before)
  return publishJoin(transaction, before.user_id)
}

/** Turns off a camera or screen that would exceed the limits of the new room. */
async function keepPictures(transaction: Transaction, place: Place, state: StateRow): Promise<void> {
  if (!state.self_video && !state.self_stream) return
  const { cameras, screens } = await countPictures(transaction, place, state.user_id)
  await saveSelf(transaction, state.session_id, {
    ...state,
    self_video: state.self_video && cameras < MAX_CAMERAS,
    self_stream: state.self_stream && screens < MAX_SCREENS,
  })
}

/** Applies the change to the member's media, if they were in voice. */
async function applyToMedia(deps: VoiceDeps, { before, now }: Change): Promise<void> {
  if (before === undefined) return
  if (now === undefined) return releaseSession(deps, before, 'disconnected')
  const host = deps.voiceHosts.hostFor(before.host_id)
  const isMoved = now.channel_id !== before.channel_id
  if (!isMoved) return isSame(before, now) ? undefined : host.refresh(now.session_id)
  await host.kick(before.session_id, 'moved')
  const signal = await openMedia(deps, now)
  await sendSignals(deps.bus, [{ userId: now.user_id, signal }])
}

function isSame(one: ImposedFlags, other: ImposedFlags): boolean {
  return one.mute === other.mute && one.deaf === other.deaf
}
