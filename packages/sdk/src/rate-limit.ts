/** The limit that is closest to running out, from the headers of an answer. */
export interface RateLimit {
  /** Requests that the limit still allows before it resets. */
  readonly remaining: number
  readonly resetAfterMs: number
}

/** A request that was refused with 429 and is waiting for its retry. */
export interface RateLimitWait {
  readonly method: string
  readonly path: string
  readonly waitMs: number
}

/** Returns the rate limit in an answer's headers; undefined if they name none. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const remaining = numberOf(headers.get('x-ratelimit-remaining'))
  const resetAfter = numberOf(headers.get('x-ratelimit-reset-after'))
  if (remaining === undefined || resetAfter === undefined) return undefined
  return { remaining, resetAfterMs: resetAfter * 1000 }
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}
