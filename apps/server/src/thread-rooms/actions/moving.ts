import type { Thread } from '@foyer/protocol/thread-rooms'
import { channelOf, type Place, placeOfRow, topicOfChannel } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { storageChange } from '#src/files/objects/storage-change.ts'
import { forgetSolution } from '#src/forums/solutions.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deletedMessage } from '#src/messages/actions/messages.ts'
import type { DeletedRow } from '#src/messages/change-queries.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages } from '#src/messages/reading.ts'
import { isAuthored } from '#src/messages/rows.ts'
import { forgetMessages, indexMessages } from '#src/search/index-changes.ts'
import { holdRoom, type RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import type { ThreadAccess } from '../access.ts'
import {
  countPins,
  listSources,
  lockHeads,
  lockMoved,
  moveDependents,
  moveReferences,
  moveRows,
  resetHead,
} from '../move-queries.ts'
import { lockThreadRow, type ThreadRow } from '../queries.ts'
import { targetOf } from './threads.ts'

interface Deps {
  database: Database
  downloads: DownloadSigner
}

/** Maximum messages of a thread that can be merged into another one, or of a chain of replies that can move. */
export const MAX_MOVED_IN_BATCHES = 10_000

/**
 * Moves messages from the thread's room, or from its other threads, to the end of the thread: all or none. They keep their
 * ids, files, reactions and everything else that belongs to them.
 * @throws ApiError 403 without ManageThreads, 404 if one of the messages no longer exists, 400 for system messages
 */
export async function moveMessages(deps: Deps, access: ThreadAccess, ids: readonly string[]): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const room = await holdRoom(transaction, access.room, 'ManageThreads')
    const sources = await listSources(transaction, access.place, ids)
    const thread = await move(transaction, deps, access.place, { ids, sources })
    await recordMove(transaction, room, thread, { from: sources[0], count: ids.length })
  })
}

export async function recordMove(
  transaction: Transaction,
  room: RoomAccess,
  thread: Pick<Thread, 'id' | 'title' | 'room_id'>,
  { from, count }: { from: string | undefined; count: number },
): Promise<void> {
  const change = { before: { from_id: from }, after: { count, from_id: thread.id } }
  await record(transaction, room, 'thread_move', { ...targetOf(thread), ...change })
}

interface Moved {
  ids: readonly string[]
  /**
   * The channels that contain the messages. Their heads and the thread's are locked in the order in which the message writer
   * locks heads.
   */
  sources: readonly string[]
}

/**
 * Moves messages to the end of the thread.
 * @throws ApiError 404 if the thread or one of the messages no longer exists, 400 for system messages
 */
export async function move(
  transaction: Transaction,
  deps: Pick<Deps, 'downloads'>,
  place: Place,
  { ids, sources }: Moved,
): Promise<ThreadRow> {
  const { tenantId, channelId } = place
  await lockHeads(transaction, tenantId, [...sources, channelId])
  const thread = await lockThreadRow(transaction, { space_id: tenantId, id: channelId })
  if (thread === undefined) throw new ApiError('unknown_thread')
  const rows = await lockMoved(transaction, tenantId, sources, ids)
  if (rows.length < ids.length) throw new ApiError('unknown_message')
  if (!rows.every(isAuthored)) throw new ApiError('not_movable')
  for (const [source, ofSource] of Map.groupBy(rows, (row) => row.channel_id))
    await moveFrom(transaction, place, source, ofSource)
  if (rows.some(({ pinned }) => pinned)) await publishPins(transaction, place)
  await publishMoved(transaction, deps, place, ids)
  return thread
}

async function moveFrom(
  transaction: Transaction,
  place: Place,
  source: string,
  rows: readonly DeletedRow[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const ids = rows.map(({ id }) => id)
  const from = placeOfRow(place.tenantId, first)
  await moveRows(transaction, place, source, ids)
  await moveReferences(transaction, place, source, ids)
  const files = await moveDependents(transaction, place, source, ids)
  if (files.length > 0) transaction.publish(storageChange(place.tenantId, { attachment_ids: files }))
  await resetHead(transaction, from, ids)
  await forgetMessages(transaction, from, ids)
  await indexMessages(transaction, place, ids)
  await forgetSolution(transaction, from, ids)
  const gone = { ids, messages: rows.map(deletedMessage), ...channelOf(from) }
  transaction.publish(event(topicOfChannel(from), 'MESSAGE_DELETE_BULK', gone))
  if (rows.some(({ pinned }) => pinned)) await publishPins(transaction, from)
}

async function publishMoved(
  transaction: Transaction,
  { downloads }: Pick<Deps, 'downloads'>,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  const { tenantId, channelId } = place
  const rows = await findRows(
    transaction,
    tenantId,
    ids.map((id) => ({ channelId, id })),
  )
  const inOrder = rows.toSorted((one, other) => one.seq - other.seq)
  for (const message of await completeMessages({ database: transaction, downloads }, place, inOrder))
    transaction.publish(event(topicOfChannel(place), 'MESSAGE_CREATE', { ...message, is_moved: true }))
}

async function publishPins(transaction: Transaction, place: Place): Promise<void> {
  const counted = { ...channelOf(place), pin_count: await countPins(transaction, place) }
  transaction.publish(event(topicOfChannel(place), 'ROOM_PINS_UPDATE', counted))
}
