import type { RateCounter, RateCounters } from './rate-limits.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Attempts that are allowed in `windowMs`, from all IP addresses together. If they are used up, the lockout lasts until `windowMs`
 * after the first of them. These limits cannot be switched off.
 */
const attemptLimits = {
  /** Per typed email address or username. */
  login: { limit: 10, windowMs: 15 * MINUTE_MS },
  /** Per session, for a login in a browser with a session of the account. */
  knownLogin: { limit: 10, windowMs: 15 * MINUTE_MS },
  password: { limit: 10, windowMs: 15 * MINUTE_MS },
  secondFactor: { limit: 10, windowMs: 15 * MINUTE_MS },
  forgotPassword: { limit: 3, windowMs: HOUR_MS },
} as const

type AttemptKind = keyof typeof attemptLimits

/** Counts attempts before they are made, so that parallel attempts cannot pass the limit together. */
export class AttemptLimits {
  readonly #counters: RateCounters

  constructor(counters: RateCounters) {
    this.#counters = counters
  }

  /**
   * Counts an attempt, unless the limit is reached.
   * @param subject the typed email address or username, ignoring case, or the id of a user or session
   * @returns true if the attempt may be made
   */
  async take(kind: AttemptKind, subject: string): Promise<boolean> {
    const decision = await this.#counters.take([counterOf(kind, subject)], Date.now())
    return decision?.allowed === true
  }

  /** Clears the count after a success. */
  async clear(kind: AttemptKind, subject: string): Promise<void> {
    await this.#counters.clear(counterOf(kind, subject))
  }
}

function counterOf(kind: AttemptKind, subject: string): RateCounter {
  return { subject: subject.toLowerCase(), name: `attempt|${kind}`, isPersonal: true, ...attemptLimits[kind] }
}
