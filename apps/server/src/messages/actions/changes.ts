import type { Message } from '@foyer/protocol/messages'
import { type Place, placeNamed, topicOfChannel } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { indexMessages } from '#src/search/index-changes.ts'
import { findMessage } from '../reading.ts'

/**
 * Publishes the current message after a change in this transaction, and indexes it for search.
 * @returns undefined for a deleted message
 */
export async function publishChange(
  transaction: Transaction,
  { downloads }: { downloads: DownloadSigner },
  place: Place,
  messageId: string,
): Promise<Message | undefined> {
  const message = await findMessage({ database: transaction, downloads }, place, messageId)
  if (message === undefined) return undefined
  // Jobs pass a place without its parent room, so the message shows whether the channel is a thread.
  transaction.publish(event(topicOfChannel(placeNamed(message) ?? place), 'MESSAGE_UPDATE', message))
  await indexMessages(transaction, place, [messageId])
  return message
}
