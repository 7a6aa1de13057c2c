/** Length of a span. Only the least delay of each span is kept. */
const SPAN_MS = 50
/** Number of spans for which a standing queue must last: the pauses of wireless networks are shorter. */
const SPANS = 3
/** Minimum delay that a standing queue causes. A shorter delay may be jitter. */
const STANDING_MS = 10
/** Time after which the least delay is measured again, because both clocks drift apart. The old value counts for as long again. */
const BASE_MS = 5000

interface Span {
  readonly number: number
  delayMs: number
}

/**
 * Measures the queue in front of a link: how much longer packets take than the fastest packet of the last seconds. Jitter and
 * pauses delay some packets, and a queue delays all of them, so the least delay counts (as in CoDel, RFC 8289).
 */
export class StandingQueue {
  #spans: Span[] = []
  #baseMs = Number.POSITIVE_INFINITY
  #formerBaseMs = Number.POSITIVE_INFINITY
  #baseSince = Number.NEGATIVE_INFINITY
  #arrivedAt = Number.NEGATIVE_INFINITY

  /** Adds a packet. `sentMs` is by the sender's clock, `arrivedMs` by the receiver's. */
  add(sentMs: number, arrivedMs: number): void {
    const delayMs = arrivedMs - sentMs
    if (arrivedMs - this.#arrivedAt > BASE_MS) this.#forget()
    this.#arrivedAt = arrivedMs
    if (arrivedMs - this.#baseSince > BASE_MS) this.#beginBase(arrivedMs)
    this.#baseMs = Math.min(this.#baseMs, delayMs)
    const number = Math.floor(arrivedMs / SPAN_MS)
    // Packets can be reported in another order than they arrived in.
    const span = this.#spans.find((each) => each.number === number)
    if (span !== undefined) span.delayMs = Math.min(span.delayMs, delayMs)
    else this.#spans = [...this.#spans.slice(1 - SPANS), { number, delayMs }]
    this.#spans = this.#spans.filter((each) => each.number > number - SPANS)
  }

  /** True while all packets wait in the queue. */
  get isStanding(): boolean {
    const leastMs = Math.min(...this.#spans.map(({ delayMs }) => delayMs))
    return leastMs - Math.min(this.#baseMs, this.#formerBaseMs) > STANDING_MS
  }

  /** Forgets delays from before a pause, because the clocks may have drifted, or the route may have changed. */
  #forget(): void {
    this.#spans = []
    this.#baseMs = Number.POSITIVE_INFINITY
  }

  #beginBase(nowMs: number): void {
    this.#formerBaseMs = this.#baseMs
    this.#baseMs = Math.min(...this.#spans.map(({ delayMs }) => delayMs))
    this.#baseSince = nowMs
  }
}
