import type { WebhookTokenParams } from '@foyer/protocol/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { limitSpace } from '#src/kernel/http/rate-limiting.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import { accessByToken, type WebhookAccessDeps } from './access.ts'
import type { WebhookRow } from './queries.ts'

export type TokenDeps = WebhookAccessDeps & ChargeDeps
export type TokenRequest = FastifyRequest<{ Params: Static<typeof WebhookTokenParams> }>

/** Checks the token again, after a body that may have taken long to arrive. */
export type Enter = () => Promise<WebhookRow>

/** Proof of a webhook's token. */
export interface Entrance {
  /** Owner of the space. */
  ownerId: string
  enter: Enter
}

/** Checks the token before the body is read. Each token has a separate share of the memory for bodies. */
export async function proveToken(
  deps: TokenDeps,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<Entrance> {
  const enter = () => accessByToken(deps, request.params)
  const { id, space_id: spaceId } = await enter()
  const ownerId = (await deps.snapshots.find(spaceId))?.space.owner_id
  if (ownerId === undefined) throw new ApiError('unknown_webhook')
  await limitSpace(deps, ['spaceWebhooks', 'ownerWebhooks'], { request, reply, spaceId, ownerId })
  request.provenId = id
  return { ownerId, enter }
}

/** Checks the token of a request that publishes nothing and is therefore not charged to the space. */
export async function proveReading(deps: WebhookAccessDeps, request: TokenRequest): Promise<Enter> {
  const enter = () => accessByToken(deps, request.params)
  request.provenId = (await enter()).id
  return enter
}
