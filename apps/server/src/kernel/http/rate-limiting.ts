import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { countersOf, limitsOf, type RateCounters, type RateState } from '../rate-limits.ts'

interface TargetParams {
  roomId?: string
  conversationId?: string
  spaceId?: string
  webhookId?: string
}

/** Counts the request, and tells in the headers where the caller stands. */
export function rateLimiting(counters: RateCounters) {
  return async (request: FastifyRequest<{ Params: TargetParams }>, reply: FastifyReply): Promise<void> => {
    const { config, url: route = '' } = request.routeOptions
    if (request.is404) return
    const { roomId, conversationId, spaceId, webhookId } = request.params
    const targetId = roomId ?? conversationId ?? spaceId
    const userId = request.authenticated?.user.id
    const names = limitsOf(config.limits ?? [], targetId !== undefined, userId !== undefined)
    const subject = { route: `${request.method} ${route}`, address: request.ip, userId, targetId, webhookId }
    const now = Date.now()
    const verdict = await counters.take(countersOf(names, subject), now)
    if (verdict === undefined) return
    reply.headers(rateHeaders(verdict.closest, now))
    if (!verdict.allowed)
      throw new ApiError('rate_limited', undefined, {
        'retry-after': `${secondsUntil(verdict.closest, now)}`,
      })
  }
}

function rateHeaders(state: RateState, now: number): Record<string, string> {
  return {
    'x-ratelimit-limit': `${state.limit}`,
    'x-ratelimit-remaining': `${state.remaining}`,
    'x-ratelimit-reset': `${Math.ceil(state.resetAt / 1000)}`,
    'x-ratelimit-reset-after': `${secondsUntil(state, now)}`,
  }
}

function secondsUntil(state: RateState, now: number): number {
  return Math.max(1, Math.ceil((state.resetAt - now) / 1000))
}
