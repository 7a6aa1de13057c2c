import type { Webhook } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import type { Sealer } from '#src/kernel/sealing.ts'
import { tokenOf } from './access.ts'
import type { WebhookRow } from './queries.ts'

export interface ShownWhere {
  publicUrl: string | undefined
}

/** With its token: for those who may manage it, and nobody else. */
export function shownWebhook(
  { sealer, config }: { sealer: Sealer; config: ShownWhere },
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  webhook: WebhookRow,
): Webhook {
  const token = tokenOf(sealer, webhook)
  const base = config.publicUrl ?? `${protocol}://${host}`
  const url = token === null ? null : `${base}/api/webhooks/${webhook.id}/${token}`
  return { ...webhook, token, url }
}
