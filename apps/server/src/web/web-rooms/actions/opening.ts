import type { RoomOnWeb } from '@foyer/protocol/on-web'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { OpenWebRoomBody, WebNotice, WebRoom } from '@foyer/protocol/web-rooms'
import { enqueueLoggingAgain } from '#src/integrations/follows/log-jobs.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { accessRoomIn, type RoomAccess, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { holdOwnedSpace } from '#src/spaces/management-access.ts'
import { checkOpenable, isOpenToEveryone } from '../access.ts'
import { enqueueNotice } from '../jobs.ts'
import { readPublicPages } from '../public-pages.ts'
import { deleteWebRoom, findWebRoom, insertWebRoom, updateWebRoom, type WebChoices } from '../queries.ts'
import { publishRooms } from './publishing.ts'

interface Deps {
  database: Database
}

type Opening = { readonly room: Room; readonly choices: WebChoices }

export async function readWebRoom(
  { database }: Deps,
  { spaceId, snapshot, room }: RoomAccess,
): Promise<WebRoom> {
  const [isAllowed, web = null] = await Promise.all([
    readPublicPages(database),
    findWebRoom(database, { spaceId, roomId: room.id }),
  ])
  const isOpen = isOpenToEveryone(snapshot, room.id)
  return { is_allowed: isAllowed, is_open: isOpen, web }
}

/**
 * Opens the room to people without an account, and posts a message about it in the room.
 * @throws ApiError 400 for a room that @everyone of the space may not view; 403 if the server allows no public pages, and
 * for everyone but the owner
 */
export async function openWebRoom(
  { database }: Deps,
  access: SpaceAccess,
  roomId: string,
  { backwards, is_indexed: isIndexed }: OpenWebRoomBody,
): Promise<WebRoom> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdOwnedSpace(transaction, access)
    const { room, snapshot } = accessRoomIn(held, roomId)
    if (!(await readPublicPages(transaction))) throw new ApiError('public_pages_off')
    checkOpenable(snapshot, room)
    // A forum has no messages, so its members cannot be warned that earlier posts will become readable.
    if (backwards === true && room.type === RoomType.Forum) throw new ApiError('not_for_the_web')
    const before = await findWebRoom(transaction, { spaceId: held.spaceId, roomId })
    const choices = {
      backwards: backwards ?? isBackwards(before),
      isIndexed: isIndexed ?? before?.is_indexed ?? true,
    }
    const web = await saveOpening(transaction, held, before, { room, choices })
    return { is_allowed: true, is_open: true, web }
  })
}

async function saveOpening(
  transaction: Transaction,
  held: SpaceAccess,
  before: RoomOnWeb | undefined,
  { room, choices }: Opening,
): Promise<RoomOnWeb> {
  const place = { spaceId: held.spaceId, roomId: room.id }
  if (choices.backwards === isBackwards(before) && choices.isIndexed === before?.is_indexed) return before
  const after =
    before === undefined
      ? await insertWebRoom(transaction, { ...place, openedBy: held.caller.user.id }, choices)
      : await updateWebRoom(transaction, place, choices)
  if (after === undefined) throw new Error('a room on the web that was just saved cannot be read')
  const change = { type: 'room', id: room.id, name: room.name, before, after } as const
  await record(transaction, held, before === undefined ? 'web_room_open' : 'web_room_update', change)
  await publishAndTell(transaction, held, room, noticeOf(before, after))
  if (room.announces) await enqueueLoggingAgain(transaction, place, after.whole_from)
  return after
}

function isBackwards(web: RoomOnWeb | undefined): boolean {
  return web !== undefined && web.whole_from !== null
}

/** Returns the notice to post; undefined if the readable messages stay the same. */
function noticeOf(
  before: RoomOnWeb | undefined,
  { whole_from: wholeFrom }: RoomOnWeb,
): WebNotice | undefined {
  if (before === undefined) return { kind: 'on', wholeFrom }
  if (before.whole_from === wholeFrom) return undefined
  return wholeFrom === null ? { kind: 'later' } : { kind: 'earlier', wholeFrom }
}

/**
 * Closes the room to people without an account, even while the server allows no public pages.
 * @throws ApiError 403 for everyone but the owner
 */
export async function closeWebRoom({ database }: Deps, access: SpaceAccess, roomId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdOwnedSpace(transaction, access)
    const { room } = accessRoomIn(held, roomId)
    const place = { spaceId: held.spaceId, roomId }
    const before = await findWebRoom(transaction, place)
    if (before === undefined) return
    await deleteWebRoom(transaction, place)
    await record(transaction, held, 'web_room_close', { type: 'room', id: roomId, name: room.name, before })
    await publishAndTell(transaction, held, room, { kind: 'off' })
    if (room.announces) await enqueueLoggingAgain(transaction, place)
  })
}

async function publishAndTell(
  transaction: Transaction,
  { spaceId, caller }: SpaceAccess,
  { id: roomId, type }: Room,
  notice: WebNotice | undefined,
): Promise<void> {
  await publishRooms(transaction, spaceId, [roomId])
  // A forum has no messages of its own. Each of its posts shows that it can be read on the web.
  if (type === RoomType.Forum || notice === undefined) return
  await enqueueNotice(transaction, { spaceId, roomId, userId: caller.user.id }, notice)
}
