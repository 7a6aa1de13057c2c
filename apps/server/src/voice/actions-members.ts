import type { Member } from '@foyer/protocol/members'
import { has, Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import type { MemberVoice, UpdateMemberVoiceBody } from '@foyer/protocol/voice'
import type { Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { accessRoomIn, type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { findMemberBelow } from '#src/spaces/hierarchy.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'
import { checkHasVoice } from './access.ts'
import { openMedia, type VoiceDeps } from './actions.ts'
import { placeOf, tellHere, tellLeft, tellState } from './actions-telling.ts'
import {
  findImposed,
  findStateOf,
  type ImposedFlags,
  lockPlaces,
  lockUserVoice,
  type StateRow,
  saveImposed,
  savePlace,
} from './queries.ts'
import { tellSignals } from './signals.ts'
import { checkNotFull } from './states.ts'
import { endStates, releaseSession } from './states-ending.ts'

const MAY_BE_THERE = Permission.ViewChannels | Permission.JoinVoice

/** What became of a member's voice in the space. */
interface Change {
  readonly imposed: ImposedFlags
  /** Undefined for who was, or is, nowhere in it. */
  readonly before: StateRow | undefined
  readonly now: StateRow | undefined
}

/**
 * Silences a member below the caller, whether they are in voice or not; moves them to another room of the space or
 * disconnects them. The media has obeyed when it resolves.
 * @throws ApiError 404 for who is no member, or in no voice room of the space where one is to be left; 403 for who is not below
 *   the caller, or may not join the room; 400 for a room without voice; voice_room_full, voice_unavailable
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
  await obey(deps, change)
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
  const held = await holdSpace(transaction, access, Permission.Administrator)
  const member = await findMemberBelow(transaction, held, memberId)
  const before = await holdState(transaction, member, body.room_id)
  const imposed = await impose(transaction, member, body)
  const staysIn = [undefined, before?.room_id].includes(body.room_id)
  if (staysIn) return { imposed, before, now: before && silence(transaction, before, imposed) }
  if (before === undefined) throw new ApiError('not_in_voice')
  if (body.room_id === null || body.room_id === undefined) {
    await endStates(transaction, [before.session_id], 'disconnected')
    return { imposed, before, now: undefined }
  }
  const room = roomToJoin(held, member, body.room_id)
  return { imposed, before, now: await move(transaction, deps, before, room) }
}

/** Where the member is in the space: nobody changes that until the transaction ends. */
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
  // It may have ended until then.
  return findStateOf(transaction, user_id)
}

async function impose(
  transaction: Transaction,
  { space_id, user_id }: Member,
  { mute, deaf }: UpdateMemberVoiceBody,
): Promise<ImposedFlags> {
  const old = await findImposed(transaction, space_id, user_id)
  const imposed = { mute: mute ?? old.mute, deaf: deaf ?? old.deaf }
  if (!isSame(old, imposed)) await saveImposed(transaction, space_id, user_id, imposed)
  return imposed
}

/** What changes nothing tells nobody. */
function silence(transaction: Transaction, before: StateRow, imposed: ImposedFlags): StateRow {
  const now = { ...before, ...imposed }
  if (!isSame(before, imposed)) tellState(transaction, now)
  return now
}

/** A voice room that the caller sees, and the member may join. */
function roomToJoin(held: HeldSpace, member: Member, roomId: string): Room {
  const { room, snapshot } = accessRoomIn(held, roomId)
  checkHasVoice(room.type)
  const mayJoin = has(permissionsInRoom(snapshot, member, roomId), MAY_BE_THERE)
  if (!mayJoin) throw new ApiError('missing_permission', 'the member may not join this room')
  return room
}

/** The session stays, so that its client knows it for its own; its media begins anew. */
async function move(
  transaction: Transaction,
  { voiceHosts, config }: VoiceDeps,
  before: StateRow,
  room: Room,
): Promise<StateRow> {
  const place = { tenantId: room.space_id, channelId: room.id }
  await checkNotFull(transaction, config.voice, place, before.user_id)
  const hostId = await voiceHosts.choose(transaction, place)
  await savePlace(transaction, before.session_id, place, hostId)
  await tellLeft(transaction, before)
  return tellHere(transaction, before.user_id)
}

/** The media, of who has any. */
async function obey(deps: VoiceDeps, { before, now }: Change): Promise<void> {
  if (before === undefined) return
  if (now === undefined) return releaseSession(deps, before, 'disconnected')
  const host = deps.voiceHosts.engineAt(before.host_id)
  const isMoved = now.channel_id !== before.channel_id
  if (!isMoved) return isSame(before, now) ? undefined : host.refresh(now.session_id)
  await host.kick(before.session_id, 'moved')
  const signal = await openMedia(deps, now)
  await tellSignals(deps.bus, [{ userId: now.user_id, signal }])
}

function isSame(one: ImposedFlags, other: ImposedFlags): boolean {
  return one.mute === other.mute && one.deaf === other.deaf
}
