import type { WebhookTokenParams } from '@foyer/protocol/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { limitSpace } from '#src/kernel/http/rate-limiting.ts'
import type { ChargeDeps } from '#src/kernel/rate-limits.ts'
import { accessByToken, type WebhookAccessDeps } from './access.ts'
import type { WebhookRow } from './queries.ts'

export type TokenDeps = WebhookAccessDeps & ChargeDeps
export type TokenRequest = FastifyRequest<{ Params: Static<typeof WebhookTokenParams> }>

/** Proves the token again, after a body that may have taken long to arrive. */
export type Enter = () => Promise<WebhookRow>

/** The token is checked before the body is read, and whoever has it shares no memory for bodies with strangers. */
export async function proveToken(
  deps: TokenDeps,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<Enter> {
  const enter = await proveReading(deps, request)
  const { space_id: spaceId } = await enter()
  await limitSpace(deps, 'spaceWebhooks', { request, reply, spaceId })
  return enter
}

/** Proves the token of a request that publishes nothing and so costs the space nothing. */
export async function proveReading(deps: WebhookAccessDeps, request: TokenRequest): Promise<Enter> {
  const enter = () => accessByToken(deps, request.params)
  request.provenId = (await enter()).id
  return enter
}
