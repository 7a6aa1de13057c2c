import { claimImages } from '#src/files/images/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { accessRoomIn, type HeldSpace } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { WEBHOOK_PERMISSIONS } from '../webhooks/access.ts'
import { checkFollower, enterRoom, publishWebhooks, shownOf, targetOf } from '../webhooks/actions.ts'
import { keepPicture } from '../webhooks/picture-store.ts'
import { insertWebhook, type NewWebhook, type WebhookRow } from '../webhooks/queries.ts'

/** The webhook of a new follow. */
export type NewFollower = NewWebhook & { source_space_id: string; source_room_id: string }

/**
 * Checks that the room may have another webhook, and follow the source.
 * @throws ApiError with the errors of `followRoom` about rights and limits of the following room
 */
export async function checkNewFollower(
  transaction: Transaction,
  held: HeldSpace,
  { room_id: roomId, source_room_id: sourceRoomId, source_server: sourceServer }: NewFollower,
): Promise<void> {
  accessRoomIn(held, roomId, WEBHOOK_PERMISSIONS)
  await checkFollower(transaction, held, { roomId, sourceRoomId, sourceServer })
  await enterRoom(transaction, held, roomId)
}

/** Inserts the webhook of a follow, with its picture. */
export async function insertFollowerWebhook(
  transaction: Transaction,
  held: HeldSpace,
  webhook: NewFollower,
): Promise<WebhookRow> {
  const { avatar } = webhook
  if (avatar !== null) {
    await claimImages(transaction, held.spaceId, [avatar])
    await keepPicture(transaction, webhook, { attachmentId: avatar, urlHash: null })
  }
  const inserted = await insertWebhook(transaction, webhook)
  publishWebhooks(transaction, inserted)
  await record(transaction, held, 'webhook_create', { ...targetOf(inserted), after: shownOf(inserted) })
  return inserted
}
