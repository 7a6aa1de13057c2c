import { timingSafeEqual } from 'node:crypto'
import { Permission } from '@foyer/protocol/permissions'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken } from '#src/kernel/ids.ts'
import type { Sealer } from '#src/kernel/sealing.ts'
import { accessRoomIn, accessSpace, type SpaceAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { findWebhook, type WebhookRow } from './queries.ts'

export interface WebhookAccessDeps {
  database: Database
  snapshots: Snapshots
  sealer: Sealer
}

/** Needed in a room to manage its webhooks: whoever has a webhook's token posts there. */
export const WEBHOOK_PERMISSIONS = Permission.ManageSpaceWebhooks | Permission.SendMessages

/** A webhook that the caller may manage. */
export interface WebhookAccess {
  space: SpaceAccess
  webhook: WebhookRow
}

/** @throws ApiError 404 for an unknown webhook, 403 for a caller who may not manage webhooks, or not post, in its room */
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
 * What whoever has the token may post by.
 * @throws ApiError 404 for an unknown webhook, and the same for another token
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
  return webhook
}

/** Whoever has it can post. Null for one that was sealed with another SECRET_KEY: it is lost. */
export function tokenOf(sealer: Sealer, { id, token }: WebhookRow): string | null {
  try {
    return sealer.open(token, id)
  } catch {
    return null
  }
}

/** In the same time wherever they begin to differ. */
function isToken(right: string, given: string): boolean {
  return timingSafeEqual(hashToken(right), hashToken(given))
}
