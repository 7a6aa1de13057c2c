import { isDeepStrictEqual } from 'node:util'
import { MAX_WEBHOOKS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { CreateWebhookBody, UpdateTokenWebhookBody, UpdateWebhookBody } from '@foyer/protocol/webhooks'
import { claimImages, nextImage } from '#src/files/images/actions.ts'
import type { NewImages } from '#src/files/images/fields.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId, newToken } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import {
  accessRoomIn,
  type HeldSpace,
  holdSpace,
  type RoomAccess,
  type SpaceAccess,
} from '#src/spaces/access.ts'
import { type Actor, record } from '#src/spaces/actions/audit.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { deleteFollows } from '../follows/queries.ts'
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

/** @throws ApiError 400 in a category, and at the room's limit of webhooks */
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
      avatar: null,
      creator_id: creatorId,
      token,
      secret: sealed,
      source_space_id: null,
      source_room_id: null,
      source_server: null,
    }
    const inserted = await insertWebhook(transaction, webhook)
    publishWebhooks(transaction, inserted)
    await record(transaction, held, 'webhook_create', { ...targetOf(inserted), after: shownOf(inserted) })
    return inserted
  })
}

/**
 * Changes the given fields.
 * @param images stored images that are not shown yet
 * @throws ApiError 404 for a room of another space, 403 where the caller may not create webhooks, 400 for a category
 *   and a room at its limit
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
    if (body.secret && webhook.token === null)
      throw new ApiError('invalid_request', 'a follow has no deliveries to sign')
    if (roomId !== webhook.room_id) await enterOther(transaction, held, webhook, roomId)
    const avatar = nextImage(webhook.avatar, body.avatar, images.avatar)
    const secret = body.secret === undefined ? webhook.secret : sealSecret(sealer, webhook.id, body.secret)
    const updated = { ...webhook, name: body.name ?? webhook.name, room_id: roomId, avatar, secret }
    await saveChange(transaction, webhook, updated)
    if (roomId !== webhook.room_id) publishWebhooks(transaction, webhook)
    await recordUpdate(transaction, held, webhook, updated)
    return updated
  })
}

/**
 * Changes name and avatar for a caller with the token.
 * @throws ApiError 404 for a webhook deleted in the meantime
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
    await recordUpdate(transaction, { spaceId: space_id }, webhook, updated)
    return updated
  })
}

/** Like `deleteWebhook`, but for a caller with the token. */
export async function deleteByToken(
  { database }: WebhookAccessDeps,
  { id, space_id }: WebhookRow,
): Promise<void> {
  await database.transactionIn(space_id, async (transaction) => {
    const webhook = await lockWebhook(transaction, space_id, id)
    await endWebhook(transaction, { spaceId: space_id }, webhook)
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
  publishWebhooks(transaction, after)
}

/** Deletes the webhook. Its messages stay, with the avatar they were posted with. */
export async function deleteWebhook({ database }: WebhookAccessDeps, access: WebhookAccess): Promise<void> {
  await database.transactionIn(access.webhook.space_id, async (transaction) => {
    const { held, webhook } = await holdWebhook(transaction, access)
    await endWebhook(transaction, held, webhook)
  })
}

async function endWebhook(transaction: Transaction, by: Actor, webhook: WebhookRow): Promise<void> {
  await deleteWebhookRow(transaction, webhook.space_id, webhook.id)
  await endFollow(transaction, webhook)
  publishWebhooks(transaction, webhook)
  await record(transaction, by, 'webhook_delete', { ...targetOf(webhook), before: shownOf(webhook) })
}

/** Ends the webhook's follow. A job deletes its marks of copies, of which there may be millions. */
async function endFollow(transaction: Transaction, webhook: WebhookRow): Promise<void> {
  const { source_space_id: spaceId, source_room_id: roomId, id } = webhook
  if (spaceId === null || roomId === null) return
  await deleteFollows(transaction, { spaceId, roomId }, [id])
  await enqueueJob(transaction, 'sweep_copies', { space_id: webhook.space_id, webhook_id: id })
}

/** Records a change, unless there is none. A caller with the token has no account. */
async function recordUpdate(
  transaction: Transaction,
  by: Actor,
  before: WebhookRow,
  after: WebhookRow,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return
  const change = { ...targetOf(after), before: shownOf(before), after: shownOf(after) }
  await record(transaction, by, 'webhook_update', change)
}

export function targetOf({ id, name, room_id: roomId }: WebhookRow) {
  return { type: 'webhook', id, name, roomId } as const
}

export function shownOf({ name, room_id, avatar, secret }: WebhookRow) {
  return { name, room_id, avatar, has_secret: secret !== null }
}

/** Locks the webhook until the transaction ends. */
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

/** Lets a webhook move into the room. A follow needs a text room that does not follow its source yet. */
async function enterOther(
  transaction: Transaction,
  held: HeldSpace,
  webhook: WebhookRow,
  roomId: string,
): Promise<void> {
  await enterRoom(transaction, held, roomId)
  if (webhook.source_room_id !== null)
    await checkFollower(transaction, held, {
      roomId,
      sourceRoomId: webhook.source_room_id,
      sourceServer: webhook.source_server,
    })
}

/**
 * Checks that the room can follow the source.
 * @throws ApiError 400 for anything but another text room, 409 if the room already follows the source
 */
export async function checkFollower(
  transaction: Transaction,
  { snapshot, spaceId }: HeldSpace,
  {
    roomId,
    sourceRoomId,
    sourceServer,
  }: { roomId: string; sourceRoomId: string; sourceServer: string | null },
): Promise<void> {
  const type = snapshot.rooms.get(roomId)?.type
  const isItself = sourceServer === null && roomId === sourceRoomId
  if (type !== RoomType.Text || isItself) throw new ApiError('unfit_follower')
  const others = await listWebhooksOfRoom(transaction, spaceId, roomId)
  const isSame = (other: WebhookRow) =>
    other.source_room_id === sourceRoomId && other.source_server === sourceServer
  if (others.some(isSame)) throw new ApiError('already_followed')
}

/**
 * Returns the room if it may have another webhook and the caller may create it.
 * @throws ApiError with the errors of `createWebhook`, and 403 without the permission
 */
export async function enterRoom(
  transaction: Transaction,
  held: HeldSpace,
  roomId: string,
): Promise<RoomAccess> {
  const access = accessRoomIn(held, roomId, WEBHOOK_PERMISSIONS)
  if (access.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  const webhooks = await listWebhooksOfRoom(transaction, held.spaceId, roomId)
  if (webhooks.length >= MAX_WEBHOOKS) throw new ApiError('too_many_webhooks')
  return access
}

export function publishWebhooks(
  transaction: Transaction,
  { space_id, room_id }: Pick<WebhookRow, 'space_id' | 'room_id'>,
): void {
  transaction.publish(event(topicOf.space(space_id), 'SPACE_WEBHOOKS_UPDATE', { space_id, room_id }))
}
