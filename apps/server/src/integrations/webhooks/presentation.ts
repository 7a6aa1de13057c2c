import type { FollowedRoom } from '@foyer/protocol/follows'
import type { TokenWebhook, Webhook } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { tokenOf } from './access.ts'
import type { WebhookRow } from './queries.ts'
import { findSources } from './sources.ts'

export interface ShownWhere {
  publicUrl: string | undefined
}

type AskedAt = Pick<FastifyRequest, 'protocol' | 'host'>

export interface PresentationDeps {
  sealer: Sealer
  config: ShownWhere
  database: Queryable
  snapshots: Snapshots
}

/** Returns webhooks with their tokens and the names of followed rooms: only for callers who may manage them. */
export async function shownWebhooks(
  deps: PresentationDeps,
  asked: AskedAt,
  webhooks: readonly WebhookRow[],
): Promise<Webhook[]> {
  const sources = await findSources(deps, webhooks)
  return webhooks.map((webhook) => shown(deps, asked, webhook, sources))
}

/** Like `shownWebhooks`, but for a single webhook. */
export async function shownWebhook(
  deps: PresentationDeps,
  asked: AskedAt,
  webhook: WebhookRow,
): Promise<Webhook> {
  return shown(deps, asked, webhook, await findSources(deps, [webhook]))
}

function shown(
  { sealer, config }: PresentationDeps,
  asked: AskedAt,
  webhook: WebhookRow,
  sources: ReadonlyMap<string, FollowedRoom | null>,
): Webhook {
  const token = tokenOf(sealer, webhook)
  const url = token === null ? null : addressOf(config, asked, { id: webhook.id, token })
  const source = sources.get(webhook.id)
  return {
    ...webhook,
    ...{ token, url, has_secret: webhook.secret !== null },
    ...(source !== undefined && { source }),
  }
}

/** Returns the webhook for a caller with the token. The response schema omits the creator. */
export function shownByToken(
  config: ShownWhere,
  asked: AskedAt,
  webhook: WebhookRow,
  token: string,
): TokenWebhook {
  return { ...webhook, token, url: addressOf(config, asked, { id: webhook.id, token }) }
}

function addressOf(
  { publicUrl }: ShownWhere,
  { protocol, host }: AskedAt,
  { id, token }: { id: string; token: string },
): string {
  return `${publicUrl ?? `${protocol}://${host}`}/api/webhooks/${id}/${token}`
}
