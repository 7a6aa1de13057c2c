const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What a limit counts separately. A target is the room, conversation or space that a route acts on. */
type Scope = 'user' | 'user+route' | 'user+route+target' | 'address+route' | 'webhook+address'

interface RateLimit {
  readonly limit: number
  readonly windowMs: number
  readonly per: Scope
}

/** Section 8 of the specification, row by row. */
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
  inviteLookup: { limit: 60, windowMs: MINUTE_MS, per: 'address+route' },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof rateLimits

/** Who asks for what: from this the counters' keys are made. */
export interface RateSubject {
  route: string
  address: string
  userId: string | undefined
  /** The room, conversation or space of the request. */
  targetId: string | undefined
  webhookId: string | undefined
}

export interface RateCounter {
  key: string
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

/** Every limit that holds for a request by an account: those the route names, on top of the general ones. */
export function limitsOf(
  named: readonly LimitName[],
  hasTarget: boolean,
  authenticated: boolean,
): LimitName[] {
  if (!authenticated) return [...named]
  const route: LimitName[] = named.includes('interactionPoll') ? [] : ['route']
  return ['everything', ...route, ...(hasTarget ? (['routeCeiling'] as const) : []), ...named]
}

export function countersOf(names: readonly LimitName[], subject: RateSubject): RateCounter[] {
  return names.map((name) => {
    const { limit, windowMs, per } = rateLimits[name]
    return { key: `${name}|${keys[per](subject)}`, limit, windowMs }
  })
}

const keys: Record<Scope, (subject: RateSubject) => string> = {
  user: ({ userId }) => `${userId}`,
  'user+route': ({ userId, route }) => `${userId}|${route}`,
  'user+route+target': ({ userId, route, targetId }) => `${userId}|${route}|${targetId}`,
  'address+route': ({ address, route }) => `${address}|${route}`,
  'webhook+address': ({ webhookId, address }) => `${webhookId}|${address}`,
}

interface Window {
  count: number
  resetAt: number
}

const SWEEP_INTERVAL_MS = MINUTE_MS

/** Counts in this process. Windows are fixed: they begin with the first request and end by the clock. */
export class RateCounters {
  readonly #windows = new Map<string, Window>()
  readonly #sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref()

  /** Counts one request against all the counters, or, when one of them is used up, against none. */
  async take(counters: readonly RateCounter[], now: number): Promise<RateVerdict | undefined> {
    const windows = counters.map((counter) => ({ ...counter, window: this.#window(counter, now) }))
    const exhausted = windows.filter(({ limit, window }) => window.count >= limit)
    const allowed = exhausted.length === 0
    if (allowed) for (const { window } of windows) window.count += 1
    const states = (allowed ? windows : exhausted).map(({ limit, window }) => ({
      limit,
      remaining: limit - window.count,
      resetAt: window.resetAt,
    }))
    const [closest] = states.sort((a, b) => a.remaining - b.remaining || b.resetAt - a.resetAt)
    return closest && { allowed, closest }
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  #window({ key, windowMs }: RateCounter, now: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && known.resetAt > now) return known
    const window = { count: 0, resetAt: now + windowMs }
    this.#windows.set(key, window)
    return window
  }

  #sweep(): void {
    const now = Date.now()
    for (const [key, window] of this.#windows) {
      if (window.resetAt <= now) this.#windows.delete(key)
    }
  }
}
