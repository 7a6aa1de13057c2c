import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ApiError } from '../errors.ts'
import {
  type ChargeDeps,
  chargeBudget,
  countersOf,
  type LimitName,
  limitsOfAccounts,
  type RateCounters,
  type RateState,
  type RateSubject,
} from '../limits/rate-limits.ts'
import { budgetOf } from '../secrets/credentials.ts'
import { networkOf } from './network-of.ts'
import { isServerPath, pathOf } from './server-paths.ts'

interface TargetParams {
  roomId?: string
  conversationId?: string
  spaceId?: string
  webhookId?: string
  interactionId?: string
  /** The kind of target that `id` names, for routes with several. */
  scope?: string
  id?: string
}

/** Counts the request, and reports the limit in the headers. */
export function rateLimiting(counters: RateCounters) {
  return async (request: FastifyRequest<{ Params: TargetParams }>, reply: FastifyReply): Promise<void> => {
    if (request.is404) return
    const { config } = request.routeOptions
    const subject = subjectOf(request)
    const names = limitsOf(subject, config.limits ?? [])
    if (names.length === 0) return
    const now = Date.now()
    const decision = await counters.take(countersOf(names, subject), now)
    if (decision === undefined) return
    setHeaders(reply, decision.closest, now)
    if (!decision.allowed) refuse(decision.closest, now)
  }
}

interface LimitedRequest {
  request: FastifyRequest<{ Params: TargetParams }>
  reply: FastifyReply
  spaceId: string
  /** The owner of the space. */
  ownerId: string
}

/**
 * Counts the request for the space found by its handler, and for its owner.
 * @throws ApiError 429 with the headers of the limit that is used up
 */
export async function limitSpace(
  { rateCounters }: ChargeDeps,
  names: readonly ('spaceWebhooks' | 'ownerWebhooks')[],
  { request, reply, spaceId, ownerId }: LimitedRequest,
): Promise<void> {
  const now = Date.now()
  const counters = countersOf(names, { ...subjectOf(request), spaceId, ownerId })
  const decision = await rateCounters?.take(counters, now)
  if (decision === undefined) return
  const { closest } = decision
  if (closest.remaining < Number(reply.getHeader('x-ratelimit-remaining'))) setHeaders(reply, closest, now)
  if (!decision.allowed) refuse(closest, now)
}

const MISSES: readonly number[] = [401, 404, 405]

/**
 * Counts an answer that reveals a wrong guess of a token or a path of the server. Answers to accounts are not counted,
 * and neither are pages and files of the web client, which old tabs request.
 * @returns the error, or 429 instead once the limit is reached
 */
export function limitingMisses(counters: RateCounters) {
  return async (error: unknown, request: FastifyRequest<{ Params: TargetParams }>, reply: FastifyReply) => {
    if (!isMiss(error, request)) return error
    const now = Date.now()
    const decision = await counters.take(countersOf(['misses'], subjectOf(request)), now)
    if (decision === undefined || decision.allowed) return error
    setHeaders(reply, decision.closest, now)
    return refusal(decision.closest, now)
  }
}

function isMiss(error: unknown, { authenticated, raw }: FastifyRequest): boolean {
  if (authenticated !== undefined || !(error instanceof ApiError)) return false
  return MISSES.includes(error.status) && isServerPath(pathOf(raw.url ?? ''))
}

function refuse(closest: RateState, now: number): never {
  throw refusal(closest, now)
}

function refusal(closest: RateState, now: number): ApiError {
  return new ApiError('rate_limited', undefined, { 'retry-after': `${secondsUntil(closest, now)}` })
}

/** Responses up to this size cost one unit, as usual pages of messages do. */
const FREE_BYTES = 64 * 1024

/** Counts the size of responses against the rate limit `messageKibibytes`, on routes that have it. */
export function chargingBytes(rateCounters: RateCounters) {
  const charge = async (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
    const { authenticated } = request
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || authenticated === undefined) return payload
    const cost = (Buffer.byteLength(payload) - FREE_BYTES) / 1024
    chargeBudget({ rateCounters }, 'messageKibibytes', { budget: budgetOf(authenticated), cost })
    return payload
  }
  return (route: RouteOptions): void => {
    if (route.config?.limits?.includes('messageKibibytes')) route.onSend = charge
  }
}

function subjectOf(request: FastifyRequest<{ Params: TargetParams }>): RateSubject {
  const { authenticated } = request
  const { roomId, conversationId, spaceId, webhookId, interactionId, scope, id } = request.params
  const targetId = roomId ?? conversationId ?? spaceId ?? (scope === undefined ? undefined : id)
  return {
    route: routeOf(request),
    address: networkOf(request.ip),
    userId: authenticated?.user.id,
    budget: authenticated && budgetOf(authenticated),
    // Paths are not validated yet. An id in upper case would have limits of its own.
    targetId: targetId?.toLowerCase(),
    webhookId: webhookId?.toLowerCase(),
    interactionId: interactionId?.toLowerCase(),
  }
}

/** Returns the name of the route in counters. All methods of a route, and HEAD, share its limits: none is a way around them. */
function routeOf({ method, routeOptions }: FastifyRequest<{ Params: TargetParams }>): string {
  const { method: served = method, url = '' } = routeOptions
  const [first = method] = typeof served === 'string' ? [served] : served
  return `${first === 'HEAD' ? 'GET' : first} ${url}`
}

function limitsOf({ userId, targetId }: RateSubject, named: readonly LimitName[]): readonly LimitName[] {
  return userId === undefined ? named : limitsOfAccounts(named, targetId !== undefined)
}

function setHeaders(reply: FastifyReply, state: RateState, now: number): void {
  reply
    .header('x-ratelimit-limit', state.limit)
    .header('x-ratelimit-remaining', state.remaining)
    .header('x-ratelimit-reset', Math.ceil(state.resetAt / 1000))
    .header('x-ratelimit-reset-after', secondsUntil(state, now))
}

function secondsUntil(state: RateState, now: number): number {
  return Math.max(1, Math.ceil((state.resetAt - now) / 1000))
}
