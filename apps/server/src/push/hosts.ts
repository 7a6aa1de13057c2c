import { growingLru } from '#src/kernel/cache.ts'
import { HostSlots } from '#src/kernel/outgoing/host-slots.ts'
import type { Outcome } from './outcome.ts'

/** Push services of browsers. A user may have registered any other host to slow down the server, or to attack that host. */
const KNOWN =
  /^(?:fcm\.googleapis\.com|(?:.+\.)?push\.services\.mozilla\.com|(?:.+\.)?(?:push\.apple|notify\.windows)\.com)$/
/** Consecutive requests without an answer after which a host is paused. */
const MAX_UNANSWERED = 5
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 10 * 60 * 1000
const REMEMBERED_HOSTS = 10_000

interface Silence {
  unanswered: number
  /** Requests made during the pause, to see whether the host is back. */
  probes: number
  /** End of the pause, in milliseconds of the clock `now`. */
  quietUntil: number
}

export function isKnownService(host: string): boolean {
  return KNOWN.test(host)
}

/**
 * Limits the cost of unknown push hosts: three connections to each at a time, and a circuit breaker. A host that leaves
 * requests unanswered is paused; single requests at growing intervals find out when it is back.
 */
export class PushHosts {
  readonly #slots = new HostSlots()
  readonly #silences = growingLru<Silence>(REMEMBERED_HOSTS)
  readonly #now: () => number

  /** @param now in milliseconds, from a monotonic clock */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** @throws the signal's reason if it is aborted before a connection is free */
  async run(host: string, signal: AbortSignal, request: () => Promise<Outcome>): Promise<Outcome> {
    if (isKnownService(host)) return request()
    return this.#slots.run(host, signal, async () => {
      if (!this.#mayTry(host)) return { kind: 'skipped' }
      const outcome = await request()
      if (outcome.kind === 'unanswered') this.#noteSilence(host)
      else this.#silences.delete(host)
      return outcome
    })
  }

  /** Returns true if the host left several requests in a row unanswered. */
  isShut(host: string): boolean {
    return (this.#silences.peek(host)?.unanswered ?? 0) >= MAX_UNANSWERED
  }

  #mayTry(host: string): boolean {
    const silence = this.#silences.get(host)
    if (silence === undefined || silence.unanswered < MAX_UNANSWERED) return true
    const now = this.#now()
    if (now < silence.quietUntil) return false
    silence.probes += 1
    silence.quietUntil = now + pauseAfter(silence.probes)
    return true
  }

  #noteSilence(host: string): void {
    const silence = this.#silences.get(host) ?? { unanswered: 0, probes: 0, quietUntil: 0 }
    silence.unanswered += 1
    if (silence.unanswered === MAX_UNANSWERED) silence.quietUntil = this.#now() + pauseAfter(0)
    this.#silences.set(host, silence)
  }
}

function pauseAfter(probes: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** probes, MAX_PAUSE_MS)
}
