import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ApiError } from '../errors.ts'
import {
  type ChargeDeps,
  chargeUser,
  countersOf,
  type LimitName,
  limitsOfAccounts,
  type RateCounters,
  type RateState,
  type RateSubject,
} from '../rate-limits.ts'
import { isServerPath, pathOf } from './server-paths.ts'

interface TargetParams {
  roomId?: string
  conversationId?: string
  spaceId?: string
  webhookId?: string
  interactionId?: string
  /** Of which kind the target is that `id` names, where a route has several. */
  scope?: string
  id?: string
}

/** Counts the request, and tells in the headers where the caller stands. */
export function rateLimiting(counters: RateCounters) {
  return async (request: FastifyRequest<{ Params: TargetParams }>, reply: FastifyReply): Promise<void> => {
    if (request.is404) return
    const { config } = request.routeOptions
    const subject = subjectOf(request)
    const names = limitsOf(subject, config.limits ?? [])
    if (names.length === 0) return
    const now = Date.now()
    const verdict = await counters.take(countersOf(names, subject), now)
    if (verdict === undefined) return
    tell(reply, verdict.closest, now)
    if (!verdict.allowed) refuse(verdict.closest, now)
  }
}

interface LimitedRequest {
  request: FastifyRequest<{ Params: TargetParams }>
  reply: FastifyReply
  spaceId: string
  /** Of the space. */
  ownerId: string
}

/**
 * Counts the request for the space that its handler found, and for its owner.
 * @throws ApiError 429 with the headers of the limit that is used up
 */
export async function limitSpace(
  { rateCounters }: ChargeDeps,
  names: readonly ('spaceWebhooks' | 'ownerWebhooks')[],
  { request, reply, spaceId, ownerId }: LimitedRequest,
): Promise<void> {
  const now = Date.now()
  const counters = countersOf(names, { ...subjectOf(request), spaceId, ownerId })
  const verdict = await rateCounters?.take(counters, now)
  if (verdict === undefined) return
  const { closest } = verdict
  if (closest.remaining < Number(reply.getHeader('x-ratelimit-remaining'))) tell(reply, closest, now)
  if (!verdict.allowed) refuse(closest, now)
}

const MISSES: readonly number[] = [401, 404, 405]

/**
 * Counts an answer by which a stranger learns that a guess was wrong: of a token, or of a path of the server. Answers to
 * accounts do not count, nor do those of the web client's pages and files, which old tabs ask for.
 * @returns the error, or from the limit on 429 in its place
 */
export function limitingMisses(counters: RateCounters) {
  return async (error: unknown, request: FastifyRequest<{ Params: TargetParams }>, reply: FastifyReply) => {
    if (!isMiss(error, request)) return error
    const now = Date.now()
    const verdict = await counters.take(countersOf(['misses'], subjectOf(request)), now)
    if (verdict === undefined || verdict.allowed) return error
    tell(reply, verdict.closest, now)
    return refusal(verdict.closest, now)
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

/** Usual pages of messages are shorter, and count as one. */
const FREE_BYTES = 64 * 1024

/** Has the answers of routes that name the limit count by their size. */
export function chargingBytes(rateCounters: RateCounters) {
  const charge = async (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
    const userId = request.authenticated?.user.id
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || userId === undefined) return payload
    const cost = (Buffer.byteLength(payload) - FREE_BYTES) / 1024
    chargeUser({ rateCounters }, 'messageKibibytes', { userId, cost })
    return payload
  }
  return (route: RouteOptions): void => {
    if (route.config?.limits?.includes('messageKibibytes')) route.onSend = charge
  }
}

function subjectOf(request: FastifyRequest<{ Params: TargetParams }>): RateSubject {
  const { roomId, conversationId, spaceId, webhookId, interactionId, scope, id } = request.params
  const targetId = roomId ?? conversationId ?? spaceId ?? (scope === undefined ? undefined : id)
  return {
    route: routeOf(request),
    address: networkOf(request.ip),
    userId: request.authenticated?.user.id,
    // Paths are not validated yet: an id in other letters would have limits of its own.
    targetId: targetId?.toLowerCase(),
    webhookId: webhookId?.toLowerCase(),
    interactionId: interactionId?.toLowerCase(),
  }
}

/** Neither HEAD, which is GET without its body, nor the other method of a route is a way around its limit. */
function routeOf({ method, routeOptions }: FastifyRequest<{ Params: TargetParams }>): string {
  const { method: served = method, url = '' } = routeOptions
  const [first = method] = typeof served === 'string' ? [served] : served
  return `${first === 'HEAD' ? 'GET' : first} ${url}`
}

function limitsOf({ userId, targetId }: RateSubject, named: readonly LimitName[]): readonly LimitName[] {
  return userId === undefined ? named : limitsOfAccounts(named, targetId !== undefined)
}

/**
 * What counts as one address: a subscriber of IPv6 has 2⁶⁴ of them, and could otherwise ask from each.
 * IPv4 that arrives in IPv6's clothes is IPv4.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : firstGroups(parsed.toByteArray())
}

function firstGroups(bytes: readonly number[]): string {
  return `${Buffer.from(bytes.slice(0, 8)).toString('hex')}/64`
}

function tell(reply: FastifyReply, state: RateState, now: number): void {
  reply
    .header('x-ratelimit-limit', state.limit)
    .header('x-ratelimit-remaining', state.remaining)
    .header('x-ratelimit-reset', Math.ceil(state.resetAt / 1000))
    .header('x-ratelimit-reset-after', secondsUntil(state, now))
}

function secondsUntil(state: RateState, now: number): number {
  return Math.max(1, Math.ceil((state.resetAt - now) / 1000))
}
