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
 * Lets people without an account read the room, and tells its members in the room.
 * @throws ApiError 400 for a room that not everyone of the space can read, 403 if the server has no such pages, and for
 * all but the owner
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
    // Nothing in a forum could tell everyone beforehand that its earlier posts will be read.
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

/** Returns undefined if nothing has changed in what can be read. */
function noticeOf(
  before: RoomOnWeb | undefined,
  { whole_from: wholeFrom }: RoomOnWeb,
): WebNotice | undefined {
  if (before === undefined) return { kind: 'on', wholeFrom }
  if (before.whole_from === wholeFrom) return undefined
  return wholeFrom === null ? { kind: 'later' } : { kind: 'earlier', wholeFrom }
}

/**
 * Ends that people without an account can read the room, also while the server has no such pages.
 * @throws ApiError 403 for all but the owner
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
  // A forum has no messages of its own; each of its posts says that it can be read.
  if (type === RoomType.Forum || notice === undefined) return
  await enqueueNotice(transaction, { spaceId, roomId, userId: caller.user.id }, notice)
}
