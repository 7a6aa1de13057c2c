import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { CreateThreadBody } from '@foyer/protocol/thread-rooms'
import { accessChannel, type ChannelAccess } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import { checkTags } from '#src/forums/tags.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Draft } from '#src/messages/draft.ts'
import { findRow } from '#src/messages/queries.ts'
import type { Beginning } from '#src/messages/rich-sending.ts'
import { createMessage } from '#src/messages/sending.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import type { HeldBeginning } from '#src/moderation/screening/held-queries.ts'
import { holdRoom, type RoomAccess, refusalOf } from '#src/spaces/access.ts'
import { checkMayCreate, managesThreads } from '../access.ts'
import { findThreadOf } from '../queries.ts'
import { beginThread, type PlannedThread, threadExists } from './beginning.ts'
import { beginWithReplies, countChain } from './chains.ts'
import { checkTitle, screenTitle } from './threads.ts'

type Deps = SendDeps & { database: Database }

export interface StartRequest {
  body: CreateThreadBody
  /** Files uploaded with the request. They come before the uploads that the body names. */
  files: readonly SpooledFile[]
}

/** A thread that is about to begin. The replies to its starting message may move into it. */
interface Plan extends PlannedThread {
  readonly movesReplies: boolean
}

/**
 * Begins a thread and its first message, which a post of a forum must have. The creator follows the thread. Both become
 * visible together: if a rule refuses the message, there is no thread; if the message is held, the thread begins once a
 * moderator approves it.
 * @throws ApiError 400 for an unfit title, and for replies that cannot move; 403 without the rights, and for a title that a
 * rule of the space refuses; 404 for a starting message that is not in the room; 409 if that message already has a thread;
 * and the errors of `createMessage`
 */
export async function startThread(deps: Deps, access: RoomAccess, start: StartRequest): Promise<Place> {
  const { title, content, attachment_ids } = start.body
  const fileCount = (attachment_ids ?? []).length + start.files.length
  const hasMessage = (content ?? '') !== '' || fileCount > 0
  if (!hasMessage && access.room.forum !== undefined) throw new ApiError('empty_message')
  if (fileCount > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  checkMayStart(access, start.body)
  checkTitle(title)
  await screenTitle(deps, access, title)
  const thread = plannedBy(access, start.body)
  await checkStarter(deps, access, thread)
  if (hasMessage) await sayFirst(deps, access, thread, start)
  else
    await deps.database.transaction(async (transaction) => {
      const room = await holdToStart(transaction, access, start.body)
      await begin(transaction, deps, room, { thread })
    })
  return thread.place
}

/** Checks early, before files are stored and a moderator is asked. The transaction that begins the thread checks again. */
async function checkStarter(
  { database }: Deps,
  access: RoomAccess,
  { starterMessageId: messageId, movesReplies }: Plan,
): Promise<void> {
  if (messageId === null) return
  if ((await findRow(database, roomOf(access), messageId)) === undefined)
    throw new ApiError('unknown_message')
  const existing = await findThreadOf(database, access.spaceId, messageId)
  if (existing !== undefined) throw threadExists(existing)
  if (movesReplies) await countChain(database, roomOf(access), messageId)
}

async function begin(
  transaction: Transaction,
  deps: Deps,
  room: RoomAccess,
  { thread, first }: { thread: Plan; first?: Draft },
): Promise<void> {
  const { starterMessageId: messageId, movesReplies } = thread
  if (!movesReplies || messageId === null) return beginThread(transaction, room.room, thread, first)
  return beginWithReplies(transaction, deps, room, { thread, messageId, first })
}

/** @throws ApiError 400 if replies are to move, but no starting message is given */
function plannedBy({ spaceId, room, caller }: RoomAccess, body: CreateThreadBody): Plan {
  const { title, message_id = null, moves_replies = false, quiet_minutes, tags = [] } = body
  if (moves_replies && message_id === null)
    throw new ApiError('invalid_request', 'message_id is required with moves_replies')
  return {
    place: { tenantId: spaceId, channelId: newId(), parentId: room.id },
    title,
    creatorId: caller.user.id,
    followerId: caller.user.is_bot ? null : caller.user.id,
    starterMessageId: message_id,
    movesReplies: moves_replies,
    quietMinutes: quiet_minutes,
    tags,
  }
}

type Started = Pick<CreateThreadBody, 'tags' | 'moves_replies'>

function checkMayStart(access: RoomAccess, { tags, moves_replies }: Started): void {
  checkMayCreate(access)
  if (moves_replies === true && !managesThreads(access)) throw refusalOf(access)
  if (tags !== undefined || access.room.forum !== undefined) checkTags(access, tags ?? [])
}

async function holdToStart(
  transaction: Transaction,
  access: RoomAccess,
  started: Started,
): Promise<RoomAccess> {
  const room = await holdRoom(transaction, access)
  checkMayStart(room, started)
  return room
}

async function sayFirst(
  deps: Deps,
  access: RoomAccess,
  thread: Plan,
  { body, files }: StartRequest,
): Promise<void> {
  const { content = null, attachment_ids = null, attachments = null } = body
  const enter = () => enterNew(deps, access, thread.place)
  const begins: Beginning = {
    uploadedTo: roomOf(access),
    held: heldFormOf(thread),
    store: (draft) =>
      deps.messageWriter.writeFirst(draft, async (transaction) => {
        const room = await holdToStart(transaction, access, body)
        await begin(transaction, deps, room, { thread, first: draft })
      }),
  }
  // The nonce finds the stored message if the connection to the database is lost during the commit.
  const sent = { body: { content, attachment_ids, attachments, nonce: thread.place.channelId }, files }
  await createMessage(deps, { access: await enter(), enter, begins }, sent)
}

/** Returns access for the first message of a thread that does not exist yet. */
async function enterNew(deps: Deps, { caller, room }: RoomAccess, place: Place): Promise<ChannelAccess> {
  const access = await accessChannel(deps, caller, { roomId: room.id }, Permission.SendMessages)
  if (access.room === null) throw new ApiError('unknown_room')
  checkMayCreate(access.room)
  return { ...access, place }
}

function roomOf({ spaceId, room }: Pick<RoomAccess, 'spaceId' | 'room'>): Place {
  return { tenantId: spaceId, channelId: room.id }
}

function heldFormOf({ starterMessageId, movesReplies, quietMinutes, ...thread }: Plan): HeldBeginning {
  const { title, tags } = thread
  const starter = { starter_message_id: starterMessageId, moves_replies: movesReplies }
  return { title, ...starter, quiet_minutes: quietMinutes ?? null, tags }
}

/**
 * Returns the beginning of a thread whose first message a moderator has approved. The author's current rights are ignored,
 * except that replies move only with ManageThreads. The starting message is left out if it was deleted or has another thread
 * by now.
 * @param access the author's access to the room
 */
export function approvedBeginning(
  deps: Deps,
  { place }: Pick<ChannelAccess, 'place'>,
  access: RoomAccess,
  held: HeldBeginning,
): Beginning {
  const { user } = access.caller
  return {
    uploadedTo: roomOf(access),
    held,
    store: (draft) =>
      deps.messageWriter.writeFirst(draft, async (transaction) => {
        const room = await holdRoom(transaction, access)
        const thread = {
          ...{ place, title: held.title, tags: held.tags, quietMinutes: held.quiet_minutes ?? undefined },
          ...{ creatorId: user.id, followerId: user.is_bot ? null : user.id },
          starterMessageId: await findFreeStarter(transaction, access, held),
          movesReplies: held.moves_replies === true && managesThreads(room),
        }
        await begin(transaction, deps, room, { thread, first: draft })
      }),
  }
}

async function findFreeStarter(
  transaction: Transaction,
  access: RoomAccess,
  { starter_message_id: id }: HeldBeginning,
): Promise<string | null> {
  if (id === null || (await findRow(transaction, roomOf(access), id)) === undefined) return null
  return (await findThreadOf(transaction, access.spaceId, id)) === undefined ? id : null
}
