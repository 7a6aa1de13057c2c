import { timingSafeEqual } from 'node:crypto'
import { Permission } from '@foyer/protocol/permissions'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken } from '#src/kernel/ids.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import {
  accessRoomIn,
  accessSpace,
  checkNotFrozen,
  type RoomAccess,
  type SpaceAccess,
} from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { findWebhook, type WebhookRow } from './queries.ts'

export interface WebhookAccessDeps {
  database: Database
  snapshots: Snapshots
  sealer: Sealer
}

/** Permissions needed to manage a room's webhooks: anyone with a webhook's token can post there. */
export const WEBHOOK_PERMISSIONS = Permission.ManageSpaceWebhooks | Permission.SendMessages

/** A webhook that the caller may manage. */
export interface WebhookAccess {
  space: SpaceAccess
  webhook: WebhookRow
}

/** @throws ApiError 403 for a caller who may not manage webhooks */
export function accessManagedSpace(
  { snapshots }: Pick<WebhookAccessDeps, 'snapshots'>,
  caller: Caller,
  spaceId: string,
): Promise<SpaceAccess> {
  return accessSpace(snapshots, caller, spaceId, Permission.ManageSpaceWebhooks)
}

/** @throws ApiError with the errors of `accessManagedSpace`, 404 for an unknown room, 403 if the caller may not post there */
export async function accessManagedRoom(
  deps: Pick<WebhookAccessDeps, 'snapshots'>,
  caller: Caller,
  roomId: string,
): Promise<{ space: SpaceAccess; room: RoomAccess }> {
  const spaceId = await deps.snapshots.findSpaceOfRoom(roomId)
  if (spaceId === undefined) throw new ApiError('unknown_room')
  const space = await accessManagedSpace(deps, caller, spaceId)
  return { space, room: accessRoomIn(space, roomId, WEBHOOK_PERMISSIONS) }
}

/** @throws ApiError 404 for an unknown webhook, 403 for a caller who may not manage webhooks or post in its room */
export async function accessWebhook(
  { database, snapshots }: WebhookAccessDeps,
  caller: Caller,
  webhookId: string,
): Promise<WebhookAccess> {
  const webhook = await findWebhook(database, webhookId)
  if (webhook === undefined) throw new ApiError('unknown_webhook')
  const space = await accessSpace(snapshots, caller, webhook.space_id, Permission.ManageSpaceWebhooks)
  accessRoomIn(space, webhook.room_id, WEBHOOK_PERMISSIONS)
  return { space, webhook }
}

/**
 * Access by token alone.
 * @throws ApiError 404 for an unknown webhook and for a wrong token, 403 in a frozen space
 */
export async function accessByToken(
  { database, snapshots, sealer }: WebhookAccessDeps,
  { webhookId, token }: { webhookId: string; token: string },
): Promise<WebhookRow> {
  const webhook = await findWebhook(database, webhookId)
  const right = webhook && tokenOf(sealer, webhook)
  if (webhook === undefined || !right || !isToken(right, token)) throw new ApiError('unknown_webhook')
  const snapshot = await snapshots.find(webhook.space_id)
  if (!snapshot?.rooms.has(webhook.room_id)) throw new ApiError('unknown_webhook')
  checkNotFrozen(snapshot.space)
  return webhook
}

/** Returns the token, which lets anyone post; null for a follow, and for a token encrypted with another SECRET_KEY. */
export function tokenOf(sealer: Sealer, { id, token }: WebhookRow): string | null {
  if (token === null) return null
  try {
    return sealer.open(token, id)
  } catch {
    return null
  }
}

/** Compares the tokens in constant time. */
function isToken(right: string, given: string): boolean {
  return timingSafeEqual(hashToken(right), hashToken(given))
}
