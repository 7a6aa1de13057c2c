import { MAX_WEBHOOKS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { CreateWebhookBody, UpdateTokenWebhookBody, UpdateWebhookBody } from '@foyer/protocol/webhooks'
import { claimImages, nextImage } from '#src/images/actions.ts'
import type { NewImages } from '#src/images/fields.ts'
import { topicOf } from '#src/kernel/bus.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { eventFor } from '#src/kernel/events.ts'
import { newId, newToken } from '#src/kernel/ids.ts'
import {
  accessRoomIn,
  type HeldSpace,
  holdSpace,
  type RoomAccess,
  type SpaceAccess,
} from '#src/spaces/access.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { WEBHOOK_PERMISSIONS, type WebhookAccess, type WebhookAccessDeps } from './access.ts'
import { keepPicture } from './picture-store.ts'
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhooksOfRoom,
  saveWebhook,
  type WebhookRow,
} from './queries.ts'
import { sealSecret } from './signatures.ts'

const { ManageSpaceWebhooks } = Permission

/** @throws ApiError 400 in a category, and when the room has as many webhooks as it may */
export async function createWebhook(
  { database, sealer }: WebhookAccessDeps,
  access: SpaceAccess,
  roomId: string,
  { name, secret }: CreateWebhookBody,
): Promise<WebhookRow> {
  const id = newId()
  const token = sealer.seal(newToken(), id)
  const creatorId = access.caller.user.id
  const sealed = sealSecret(sealer, id, secret)
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceWebhooks)
    const { spaceId, room } = await enterRoom(transaction, held, roomId)
    const webhook = {
      space_id: spaceId,
      id,
      room_id: room.id,
      name,
      creator_id: creatorId,
      token,
      secret: sealed,
    }
    const inserted = await insertWebhook(transaction, webhook)
    publishChange(transaction, inserted)
    return inserted
  })
}

/**
 * Changes the fields that are given.
 * @param images those that are stored already, and not shown yet
 * @throws ApiError 404 for a room that is not the space's, 403 where the caller may make none, 400 for a category and for one with as many as it may have
 */
export async function updateWebhook(
  { database, sealer }: WebhookAccessDeps,
  access: WebhookAccess,
  body: UpdateWebhookBody,
  images: NewImages = {},
): Promise<WebhookRow> {
  return database.transactionIn(access.webhook.space_id, async (transaction) => {
    const { held, webhook } = await holdWebhook(transaction, access)
    const roomId = body.room_id ?? webhook.room_id
    if (roomId !== webhook.room_id) await enterRoom(transaction, held, roomId)
    const avatar = nextImage(webhook.avatar, body.avatar, images.avatar)
    const secret = body.secret === undefined ? webhook.secret : sealSecret(sealer, webhook.id, body.secret)
    const updated = { ...webhook, name: body.name ?? webhook.name, room_id: roomId, avatar, secret }
    await saveChange(transaction, webhook, updated)
    if (roomId !== webhook.room_id) publishChange(transaction, webhook)
    return updated
  })
}

/**
 * Changes name and avatar for a caller who has the token.
 * @throws ApiError 404 for a webhook that went in the meantime
 */
export async function updateByToken(
  { database }: WebhookAccessDeps,
  { id, space_id }: WebhookRow,
  { name, avatar: given }: UpdateTokenWebhookBody,
  images: NewImages = {},
): Promise<WebhookRow> {
  return database.transactionIn(space_id, async (transaction) => {
    const webhook = await lockWebhook(transaction, space_id, id)
    const avatar = nextImage(webhook.avatar, given, images.avatar)
    const updated = { ...webhook, name: name ?? webhook.name, avatar }
    await saveChange(transaction, webhook, updated)
    return updated
  })
}

/** Deletes the webhook for a caller who has the token, as `deleteWebhook` does. */
export async function deleteByToken(
  { database }: WebhookAccessDeps,
  { id, space_id }: WebhookRow,
): Promise<void> {
  await database.transactionIn(space_id, async (transaction) => {
    const webhook = await lockWebhook(transaction, space_id, id)
    await deleteWebhookRow(transaction, space_id, id)
    publishChange(transaction, webhook)
  })
}

async function lockWebhook(transaction: Transaction, spaceId: string, id: string): Promise<WebhookRow> {
  await lockSpace(transaction, spaceId)
  const webhook = await findWebhook(transaction, id)
  if (webhook?.space_id !== spaceId) throw new ApiError('unknown_webhook')
  return webhook
}

async function saveChange(transaction: Transaction, before: WebhookRow, after: WebhookRow): Promise<void> {
  const { avatar } = after
  if (avatar !== null && avatar !== before.avatar) {
    await claimImages(transaction, before.space_id, [avatar])
    await keepPicture(transaction, before, { attachmentId: avatar, urlHash: null })
  }
  await saveWebhook(transaction, after)
  publishChange(transaction, after)
}

/** Nobody posts by it any more. What was posted stays, with the picture that it was posted under. */
export async function deleteWebhook({ database }: WebhookAccessDeps, access: WebhookAccess): Promise<void> {
  await database.transactionIn(access.webhook.space_id, async (transaction) => {
    const { webhook } = await holdWebhook(transaction, access)
    await deleteWebhookRow(transaction, webhook.space_id, webhook.id)
    publishChange(transaction, webhook)
  })
}

/** As it is now, and nobody else changes it until the transaction ends. */
async function holdWebhook(
  transaction: Transaction,
  { space, webhook: { id, space_id } }: WebhookAccess,
): Promise<{ held: HeldSpace; webhook: WebhookRow }> {
  const held = await holdSpace(transaction, space, ManageSpaceWebhooks)
  const webhook = await findWebhook(transaction, id)
  if (webhook?.space_id !== space_id) throw new ApiError('unknown_webhook')
  accessRoomIn(held, webhook.room_id, WEBHOOK_PERMISSIONS)
  return { held, webhook }
}

/** Returns a room that may have one more webhook, and where the caller may make it. */
async function enterRoom(transaction: Transaction, held: HeldSpace, roomId: string): Promise<RoomAccess> {
  const access = accessRoomIn(held, roomId, WEBHOOK_PERMISSIONS)
  if (access.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  const webhooks = await listWebhooksOfRoom(transaction, held.spaceId, roomId)
  if (webhooks.length >= MAX_WEBHOOKS) throw new ApiError('too_many_webhooks')
  return access
}

function publishChange(transaction: Transaction, { space_id, room_id }: WebhookRow): void {
  transaction.publish(
    eventFor(ManageSpaceWebhooks, topicOf.space(space_id), 'SPACE_WEBHOOKS_UPDATE', { space_id, room_id }),
  )
}
