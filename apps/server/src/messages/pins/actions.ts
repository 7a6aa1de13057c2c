import { MAX_PINS } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, type Place, topicOfChannel } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { publishChange } from '#src/messages/actions/changes.ts'
import { targetOf } from '#src/messages/audit-target.ts'
import { deletePins } from '#src/messages/change-queries.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages } from '#src/messages/reading.ts'
import { isAuthored } from '#src/messages/rows.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { enqueuePinMessage } from './jobs.ts'
import { insertPin, listPinnedIds, lockForPin, type PinnedRow, unmarkPinned } from './queries.ts'

export interface PinDeps {
  database: Database
  downloads: DownloadSigner
}

/** Lists pinned messages, the last pinned first. */
export async function listPins(deps: PinDeps, { place, caller }: ChannelAccess): Promise<Message[]> {
  const ids = await listPinnedIds(deps.database, place)
  const pinned = ids.map((id) => ({ channelId: place.channelId, id }))
  const rows = ids.length === 0 ? [] : await findRows(deps.database, place.tenantId, pinned)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const newestFirst = ids.flatMap((id) => byId.get(id) ?? [])
  return completeMessages(deps, place, newestFirst, caller.user.id)
}

/**
 * Pins a message and posts a system message about it. Does nothing for a pinned message.
 * @throws ApiError 404 for a message that does not exist, 400 for a system message and at the limit of pins
 */
export async function pinMessage(
  deps: PinDeps,
  { place, caller, room }: ChannelAccess,
  messageId: string,
): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const message = await holdMessage(transaction, place, messageId)
    if (!isAuthored(message)) throw new ApiError('not_pinnable')
    if (message.pinned) return
    const pin = { messageId, userId: caller.user.id }
    const count = await insertPin(transaction, place, pin)
    if (count > MAX_PINS) throw new ApiError('too_many_pins')
    await publishPins(deps, transaction, { place, messageId, count })
    await enqueuePinMessage(transaction, place, pin)
    if (room !== null) await record(transaction, room, 'message_pin', targetOf(place, { id: messageId }))
  })
}

/** Unpins a message. Does nothing if it is not pinned. */
export async function unpinMessage(
  deps: PinDeps,
  { place, room }: ChannelAccess,
  messageId: string,
): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const message = await holdMessage(transaction, place, messageId)
    if (!message.pinned) return
    const count = await deletePins(transaction, place, [messageId])
    await unmarkPinned(transaction, place, messageId)
    await publishPins(deps, transaction, { place, messageId, count })
    if (room !== null) await record(transaction, room, 'message_unpin', targetOf(place, { id: messageId }))
  })
}

async function holdMessage(transaction: Transaction, place: Place, messageId: string): Promise<PinnedRow> {
  const message = await lockForPin(transaction, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

async function publishPins(
  deps: PinDeps,
  transaction: Transaction,
  { place, messageId, count }: { place: Place; messageId: string; count: number },
): Promise<void> {
  await publishChange(transaction, deps, place, messageId)
  const counted = { ...channelOf(place), pin_count: count }
  transaction.publish(event(topicOfChannel(place), 'ROOM_PINS_UPDATE', counted))
}
