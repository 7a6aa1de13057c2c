const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What a limit counts separately. A target is the room, conversation or space that a route acts on. */
type Scope =
  | 'user'
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

/** Section 8 of the specification, row by row, and what answers interactions, of which it says nothing. */
export const rateLimits = {
  everything: { limit: 50, windowMs: SECOND_MS, per: 'user' },
  route: { limit: 64, windowMs: MINUTE_MS, per: 'user+route+target' },
  routeCeiling: { limit: 640, windowMs: MINUTE_MS, per: 'user+route' },
  mailSending: { limit: 3, windowMs: HOUR_MS, per: 'user+route' },
  login: { limit: 16, windowMs: MINUTE_MS, per: 'address+route' },
  signin: { limit: 16, windowMs: HOUR_MS, per: 'address+route' },
  refresh: { limit: 32, windowMs: MINUTE_MS, per: 'address+route' },
  interactionPoll: { limit: 600, windowMs: MINUTE_MS, per: 'user+route' },
  videoProxy: { limit: 300, windowMs: MINUTE_MS, per: 'address+route' },
  webhook: { limit: 30, windowMs: MINUTE_MS, per: 'webhook+address' },
  webhookToken: { limit: 60, windowMs: MINUTE_MS, per: 'webhook+address' },
  spaceWebhooks: { limit: 600, windowMs: MINUTE_MS, per: 'space' },
  joinMessages: { limit: 20, windowMs: MINUTE_MS, per: 'space' },
  ownerWebhooks: { limit: 3000, windowMs: MINUTE_MS, per: 'owner' },
  interactionAnswer: { limit: 30, windowMs: MINUTE_MS, per: 'interaction+address+route' },
  callRing: { limit: 4, windowMs: MINUTE_MS, per: 'user+route+target' },
  inviteLookup: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  misses: { limit: 1000, windowMs: MINUTE_MS, per: 'address' },
  apiDocument: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
  structureChanges: { limit: 20_000, windowMs: MINUTE_MS, per: 'user' },
  messageKibibytes: { limit: 64 * 1024, windowMs: MINUTE_MS, per: 'user' },
  mentionRooms: { limit: 400_000, windowMs: MINUTE_MS, per: 'user' },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof rateLimits

/** Counts requests. Windows are fixed: they begin with the first request and end by the clock. */
export interface RateCounters {
  /**
   * Counts one request against all the counters, or, when one of them is used up, against none.
   * @param now in milliseconds, of a clock that counters with windows of one length share
   */
  take(counters: readonly RateCounter[], now: number): Promise<RateVerdict | undefined>
  /**
   * Counts, after a request, what it cost beyond the one that `take` counted. It may pass the limit: the next request is
   * refused then.
   */
  charge(counter: RateCounter, cost: number, now: number): Promise<void>
  /** Forgets what was counted. */
  clear(counter: RateCounter): Promise<void>
}

/** Who asks for what: from this the counters' keys are made. */
export interface RateSubject {
  route: string
  /** An IPv4 address, or the network of an IPv6 one. */
  address: string
  userId: string | undefined
  /** The room, conversation or space of the request. */
  targetId: string | undefined
  webhookId: string | undefined
  interactionId: string | undefined
  /** The space that a handler found, where the path does not name it. */
  spaceId?: string
  /** The owner of that space. */
  ownerId?: string
}

export interface RateCounter {
  /** Whom or what it counts. Counters of one subject are kept together. */
  subject: string
  /** What of it is counted. */
  name: string
  /** The subject or the name has an address or an email: they leave the process as hashes. */
  isPersonal?: boolean
  limit: number
  windowMs: number
}

/** Where a counter stands after a request. */
export interface RateState {
  limit: number
  remaining: number
  /** Milliseconds since 1970. */
  resetAt: number
}

export interface RateVerdict {
  allowed: boolean
  /** The limit closest to running out; for a refusal, the one that refused. */
  closest: RateState
}

/** These stand in the place of the limit per route. */
const insteadOfRoute: readonly LimitName[] = ['interactionPoll', 'videoProxy']

/**
 * The limits of a request by an account: the general ones and those that the route names.
 * @param hasTarget whether the route acts on a room, a conversation or a space
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
  /** Undefined turns the limits off. */
  rateCounters: RateCounters | undefined
}

type UserLimitName = {
  [Name in LimitName]: (typeof rateLimits)[Name]['per'] extends 'user' ? Name : never
}[LimitName]

/** Charges the user for a request that cost more than others. Its route must name the limit. */
export function chargeUser(
  { rateCounters }: ChargeDeps,
  name: UserLimitName,
  { userId, cost }: { userId: string; cost: number },
): void {
  const { limit, windowMs } = rateLimits[name]
  const extra = Math.ceil(cost) - 1
  if (extra > 0) void rateCounters?.charge({ subject: userId, name, limit, windowMs }, extra, Date.now())
}

type SpaceLimitName = {
  [Name in LimitName]: (typeof rateLimits)[Name]['per'] extends 'space' ? Name : never
}[LimitName]

/** Counts once for the space, outside of a request. @returns false when the limit is used up */
export async function takeOfSpace(
  { rateCounters }: ChargeDeps,
  name: SpaceLimitName,
  spaceId: string,
): Promise<boolean> {
  const { limit, windowMs } = rateLimits[name]
  const verdict = await rateCounters?.take([{ subject: spaceId, name, limit, windowMs }], Date.now())
  return verdict?.allowed ?? true
}

const scopes: Record<Scope, (subject: RateSubject) => (string | undefined)[]> = {
  user: ({ userId }) => [userId],
  'user+route': ({ userId, route }) => [userId, route],
  'user+route+target': ({ userId, route, targetId }) => [userId, route, targetId],
  address: ({ address }) => [address],
  'address+route': ({ address, route }) => [address, route],
  'webhook+address': ({ webhookId, address }) => [webhookId, address],
  space: ({ spaceId }) => [spaceId],
  owner: ({ ownerId }) => [ownerId],
  'interaction+address+route': ({ interactionId, address, route }) => [interactionId, address, route],
}

/** Where a counter stands, as whoever keeps it says. */
export interface RateCount {
  limit: number
  count: number
  resetAt: number
}

/** What a request's counters come to: refused when one of them was used up before it. */
export function verdictOf(counts: readonly RateCount[], allowed: boolean): RateVerdict | undefined {
  const closest = closestToRunningOut(allowed ? counts : counts.filter(({ count, limit }) => count >= limit))
  return closest && { allowed, closest }
}

/** Of those that are equally close, the one that takes longer to fill again: after a refusal that is how long to wait. */
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
