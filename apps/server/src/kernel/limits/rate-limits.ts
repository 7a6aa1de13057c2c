const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The key of a limit. A target is the room, conversation or space that a route acts on. */
type Scope =
  | 'user'
  | 'budget'
  | 'user+route'
  | 'user+route+target'
  | 'address'
  | 'address+route'
  | 'webhook+address'
  | 'space'
  | 'owner'
  | 'interaction+address+route'

interface RateLimit {
  readonly limit: number
  readonly windowMs: number
  readonly per: Scope
}

/**
 * Section 8 of the specification, row by row, and the limits of answers to interactions, which it does not mention.
 */
export const rateLimits = {
  everything: { limit: 50, windowMs: SECOND_MS, per: 'user' },
  route: { limit: 64, windowMs: MINUTE_MS, per: 'user+route+target' },
  routeCeiling: { limit: 640, windowMs: MINUTE_MS, per: 'user+route' },
  mailSending: { limit: 3, windowMs: HOUR_MS, per: 'user+route' },
  serverTest: { limit: 6, windowMs: 10 * MINUTE_MS, per: 'user+route' },
  login: { limit: 16, windowMs: MINUTE_MS, per: 'address+route' },
  signin: { limit: 16, windowMs: HOUR_MS, per: 'address+route' },
  puzzle: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  passkeyOptions: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  providerLogout: { limit: 600, windowMs: MINUTE_MS, per: 'address+route' },
  refresh: { limit: 32, windowMs: MINUTE_MS, per: 'address+route' },
  interactionPoll: { limit: 600, windowMs: MINUTE_MS, per: 'user+route' },
  videoProxy: { limit: 300, windowMs: MINUTE_MS, per: 'address+route' },
  webhook: { limit: 30, windowMs: MINUTE_MS, per: 'webhook+address' },
  webhookToken: { limit: 60, windowMs: MINUTE_MS, per: 'webhook+address' },
  spaceWebhooks: { limit: 600, windowMs: MINUTE_MS, per: 'space' },
  joinMessages: { limit: 20, windowMs: MINUTE_MS, per: 'space' },
  ownerWebhooks: { limit: 3000, windowMs: MINUTE_MS, per: 'owner' },
  interactionAnswer: { limit: 30, windowMs: MINUTE_MS, per: 'interaction+address+route' },
  report: { limit: 20, windowMs: HOUR_MS, per: 'user+route' },
  callRing: { limit: 4, windowMs: MINUTE_MS, per: 'user+route+target' },
  inviteLookup: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  webPageFiles: { limit: 1200, windowMs: MINUTE_MS, per: 'address' },
  hub: { limit: 20, windowMs: MINUTE_MS, per: 'address' },
  webPages: { limit: 300, windowMs: MINUTE_MS, per: 'address' },
  followCallbacks: { limit: 1200, windowMs: MINUTE_MS, per: 'address+route' },
  misses: { limit: 1000, windowMs: MINUTE_MS, per: 'address' },
  apiDocument: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  structureChanges: { limit: 20_000, windowMs: MINUTE_MS, per: 'budget' },
  messageKibibytes: { limit: 64 * 1024, windowMs: MINUTE_MS, per: 'budget' },
  mentionRooms: { limit: 400_000, windowMs: MINUTE_MS, per: 'budget' },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof rateLimits

/** Counts requests in windows of a fixed length. A window begins with the first request after the end of the last one. */
export interface RateCounters {
  /**
   * Counts one request against all counters, or against none if one of them is used up.
   * @param now in milliseconds; counters with windows of the same length must share a clock
   */
  take(counters: readonly RateCounter[], now: number): Promise<RateDecision | undefined>
  /**
   * Adds the cost of a request beyond the unit counted by `take`. The count may exceed the limit; the next request is
   * then refused.
   */
  charge(counter: RateCounter, cost: number, now: number): Promise<void>
  /** Uncounts one request, if its window has not ended. */
  giveBack(counter: RateCounter, now: number): Promise<void>
  /** Returns the current count, without adding to it. */
  count(counter: RateCounter, now: number): Promise<number>
  /** Clears the count. */
  clear(counter: RateCounter): Promise<void>
}

/** The properties of a request that become counter keys. */
export interface RateSubject {
  route: string
  /** An IPv4 address, or the network of an IPv6 address. */
  address: string
  userId: string | undefined
  /** The user, or all bots of one owner: see `budgetOf`. */
  budget: string | undefined
  /** The room, conversation or space of the request. */
  targetId: string | undefined
  webhookId: string | undefined
  interactionId: string | undefined
  /** The space found by a handler, if the path does not name it. */
  spaceId?: string
  /** The owner of the request's space. */
  ownerId?: string
}

export interface RateCounter {
  /** The counted subject. Counters of one subject are stored together. */
  subject: string
  /** Name of the limit. */
  name: string
  /** True if the subject or name contains an IP address or email address. Both then leave the process only as MACs. */
  isPersonal?: boolean
  limit: number
  windowMs: number
}

/** The state of a counter after a request. */
export interface RateState {
  limit: number
  remaining: number
  /** Milliseconds since 1970. */
  resetAt: number
}

export interface RateDecision {
  allowed: boolean
  /** The counter closest to its limit; after a refusal, the counter that refused. */
  closest: RateState
}

/** Limits that replace the general limit per route. */
const insteadOfRoute: readonly LimitName[] = ['interactionPoll', 'videoProxy']

/**
 * Returns the limits of a request by an account: the general limits, and the limits that the route names.
 * @param hasTarget whether the route acts on a room, conversation or space
 */
export function limitsOfAccounts(named: readonly LimitName[], hasTarget: boolean): LimitName[] {
  if (named.some((name) => insteadOfRoute.includes(name))) return ['everything', ...named]
  return ['everything', 'route', ...(hasTarget ? (['routeCeiling'] as const) : []), ...named]
}

export function countersOf(names: readonly LimitName[], subject: RateSubject): RateCounter[] {
  return names.map((name) => {
    const { limit, windowMs, per } = rateLimits[name]
    const [counted, ...parts] = scopes[per](subject)
    const isPersonal = per.includes('address')
    return { subject: `${counted}`, name: [name, ...parts].join('|'), isPersonal, limit, windowMs }
  })
}

export interface ChargeDeps {
  /** Undefined disables the limits. */
  rateCounters: RateCounters | undefined
}

type BudgetLimitName = {
  [Name in LimitName]: (typeof rateLimits)[Name]['per'] extends 'budget' ? Name : never
}[LimitName]

/**
 * Charges the caller for an expensive request. The route must name the limit, so that one unit is already counted; this
 * adds the rest of the cost.
 * @param charge `budget` is the result of `budgetOf` for the caller
 */
export function chargeBudget(
  { rateCounters }: ChargeDeps,
  name: BudgetLimitName,
  { budget, cost }: { budget: string; cost: number },
): void {
  const { limit, windowMs } = rateLimits[name]
  const extra = Math.ceil(cost) - 1
  if (extra > 0) void rateCounters?.charge({ subject: budget, name, limit, windowMs }, extra, Date.now())
}

type SpaceLimitName = {
  [Name in LimitName]: (typeof rateLimits)[Name]['per'] extends 'space' ? Name : never
}[LimitName]

/**
 * Counts one unit for the space, outside of a request.
 * @returns false if the limit is used up
 */
export async function takeOfSpace(
  { rateCounters }: ChargeDeps,
  name: SpaceLimitName,
  spaceId: string,
): Promise<boolean> {
  const { limit, windowMs } = rateLimits[name]
  const decision = await rateCounters?.take([{ subject: spaceId, name, limit, windowMs }], Date.now())
  return decision?.allowed ?? true
}

const scopes: Record<Scope, (subject: RateSubject) => (string | undefined)[]> = {
  user: ({ userId }) => [userId],
  budget: ({ budget }) => [budget],
  'user+route': ({ userId, route }) => [userId, route],
  'user+route+target': ({ userId, route, targetId }) => [userId, route, targetId],
  address: ({ address }) => [address],
  'address+route': ({ address, route }) => [address, route],
  'webhook+address': ({ webhookId, address }) => [webhookId, address],
  space: ({ spaceId }) => [spaceId],
  owner: ({ ownerId }) => [ownerId],
  'interaction+address+route': ({ interactionId, address, route }) => [interactionId, address, route],
}

/** A stored counter. */
export interface RateCount {
  limit: number
  count: number
  resetAt: number
}

/** Returns the result for a request's counters: refused if one of them was already used up. */
export function decisionOf(counts: readonly RateCount[], allowed: boolean): RateDecision | undefined {
  const closest = closestToRunningOut(allowed ? counts : counts.filter(({ count, limit }) => count >= limit))
  return closest && { allowed, closest }
}

/** Returns the counter closest to its limit; among equally close ones, the last to reset, because a refused client must wait for it. */
function closestToRunningOut(counts: readonly RateCount[]): RateState | undefined {
  let closest: RateState | undefined
  for (const { limit, count, resetAt } of counts) {
    const remaining = Math.max(0, limit - count)
    const isCloser =
      closest === undefined ||
      remaining < closest.remaining ||
      (remaining === closest.remaining && resetAt > closest.resetAt)
    if (isCloser) closest = { limit, remaining, resetAt }
  }
  return closest
}
