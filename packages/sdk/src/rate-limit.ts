/** The limit that is closest to running out, as the headers of an answer describe it. */
export interface RateLimit {
  /** Requests that the limit still allows before it begins again. */
  readonly remaining: number
  readonly resetAfterMs: number
}

/** A request that was refused with 429, and is sent again after its Retry-After. */
export interface RateLimitWait {
  readonly method: string
  readonly path: string
  readonly waitMs: number
}

/** Undefined where the answer carries no limit. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const remaining = numberOf(headers.get('x-ratelimit-remaining'))
  const resetAfter = numberOf(headers.get('x-ratelimit-reset-after'))
  if (remaining === undefined || resetAfter === undefined) return undefined
  return { remaining, resetAfterMs: resetAfter * 1000 }
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}
