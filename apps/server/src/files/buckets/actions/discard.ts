import type { Space } from '@foyer/protocol/spaces'
import { topicOfChannel } from '#src/channels/place.ts'
import { discardFiles } from '#src/files/objects/actions.ts'
import { lockUnshown } from '#src/files/objects/ledger.ts'
import type { BucketRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { deleteImagesOf } from '#src/files/space-images/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { completeMessages } from '#src/messages/reading.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { saveSpace } from '#src/spaces/queries.ts'
import { type HeldFile, listHeldFiles, lockMessagesOf } from '../queries.ts'

/**
 * Deletes emojis and stickers made from the files, and clears the icon and the banner. The caller holds the space's
 * lock.
 */
export async function discardImages(
  transaction: Transaction,
  space: Space,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await deleteImagesOf(transaction, space.id, ids)
  const kept = (image: string | null) => (image !== null && ids.includes(image) ? null : image)
  const saved = await saveSpace(transaction, { ...space, icon: kept(space.icon), banner: kept(space.banner) })
  if (saved !== undefined) transaction.publish(event(topicOf.space(space.id), 'SPACE_UPDATE', saved))
  await discardFiles(transaction, space.id, ids)
}

/**
 * Deletes some of a deleted bucket's files and publishes the messages that show them.
 * @returns true if more may be left
 */
export async function discardFilesOf(
  { transaction, downloads }: { transaction: Transaction; downloads: DownloadSigner },
  bucket: Pick<BucketRow, 'tenant_id' | 'id'>,
  limit: number,
): Promise<boolean> {
  const files = await listHeldFiles(transaction, bucket, limit)
  const images = files.filter(({ purpose }) => purpose !== 'message' && purpose !== 'report')
  // An image may have been made from a file uploaded before the bucket was deleted.
  const space = images.length > 0 ? await lockSpace(transaction, bucket.tenant_id) : undefined
  // Locks messages before files, as the deletion of messages does, and all files together, because the bucket's row is
  // locked after them.
  const messages = await lockMessagesOf(transaction, bucket.tenant_id, files)
  const pending = files.filter((file) => file.purpose === 'message' && file.message_id === null)
  // A file that a message just took is left for the next run, which publishes that message, too.
  const unshown = await lockUnshown(transaction, bucket.tenant_id, idsOf(pending))
  const ended = idsOf(files.filter((file) => !pending.includes(file))).concat(unshown)
  await discardFiles(transaction, bucket.tenant_id, ended)
  if (space !== undefined) await discardImages(transaction, space, idsOf(images))
  for (const [roomId, rows] of Map.groupBy(messages, (row) => row.channel_id)) {
    const place = { tenantId: bucket.tenant_id, channelId: roomId }
    const changed = await completeMessages({ database: transaction, downloads }, place, rows)
    for (const message of changed)
      transaction.publish(event(topicOfChannel(place), 'MESSAGE_UPDATE', message))
  }
  return files.length === limit || unshown.length < pending.length
}

function idsOf(files: readonly HeldFile[]): string[] {
  return files.map(({ id }) => id)
}
