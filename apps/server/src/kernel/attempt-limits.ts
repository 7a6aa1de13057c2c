import type { RateCounter, RateCounters } from './rate-limits.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Section 8 of the specification, per-email limits, and our own on passwords asked again of who is signed in. They count
 * per address or account from everywhere, and are never switched off.
 */
const attemptLimits = {
  login: { limit: 10, windowMs: 15 * MINUTE_MS },
  knownLogin: { limit: 10, windowMs: 15 * MINUTE_MS },
  password: { limit: 10, windowMs: 15 * MINUTE_MS },
  forgotPassword: { limit: 3, windowMs: HOUR_MS },
} as const

type AttemptKind = keyof typeof attemptLimits

/** Counts attempts before they are made, so that parallel ones cannot pass the limit together. */
export class AttemptLimits {
  readonly #counters: RateCounters

  constructor(counters: RateCounters) {
    this.#counters = counters
  }

  /**
   * Counts an attempt, unless the limit is reached.
   * @param subject whom it is made on: an address ignoring case, or the id of a user or a session
   * @returns whether it may be made
   */
  async take(kind: AttemptKind, subject: string): Promise<boolean> {
    const verdict = await this.#counters.take([counterOf(kind, subject)], Date.now())
    return verdict?.allowed === true
  }

  /** Forgets the attempts: the latest was a success. */
  async clear(kind: AttemptKind, subject: string): Promise<void> {
    await this.#counters.clear(counterOf(kind, subject))
  }
}

function counterOf(kind: AttemptKind, subject: string): RateCounter {
  return { subject: subject.toLowerCase(), name: `attempt|${kind}`, isPersonal: true, ...attemptLimits[kind] }
}
