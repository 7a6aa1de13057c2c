import type { TokenWebhook, Webhook } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import { tokenOf } from './access.ts'
import type { WebhookRow } from './queries.ts'

export interface ShownWhere {
  publicUrl: string | undefined
}

type AskedAt = Pick<FastifyRequest, 'protocol' | 'host'>

/** Includes the token: only for callers who may manage the webhook. */
export function shownWebhook(
  { sealer, config }: { sealer: Sealer; config: ShownWhere },
  asked: AskedAt,
  webhook: WebhookRow,
): Webhook {
  const token = tokenOf(sealer, webhook)
  const url = token === null ? null : addressOf(config, asked, { id: webhook.id, token })
  return { ...webhook, token, url, has_secret: webhook.secret !== null }
}

/** For a caller with the token. The response schema omits the creator. */
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
