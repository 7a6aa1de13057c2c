/** Delays are kept as the least one in each of these spans. */
const SPAN_MS = 50
/** Number of spans in which a queue has to stand: the pauses of wireless networks are shorter. */
const SPANS = 3
/** A queue of this length is no jitter. */
const STANDING_MS = 10
/** Time after which the least delay is measured anew, because both clocks drift apart. It is remembered as long again. */
const BASE_MS = 5000

interface Span {
  readonly number: number
  delayMs: number
}

/**
 * Measures the queue in front of a link: how much later packets arrive than the fastest of the last seconds. Jitter and pauses
 * delay some packets, and a queue all of them, so the least delay counts (as in CoDel, RFC 8289).
 */
export class StandingQueue {
  #spans: Span[] = []
  #baseMs = Number.POSITIVE_INFINITY
  #formerBaseMs = Number.POSITIVE_INFINITY
  #baseSince = Number.NEGATIVE_INFINITY
  #arrivedAt = Number.NEGATIVE_INFINITY

  /** Adds a packet, by the clock of its sender and that of its receiver. */
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

  /** True while all packets wait. */
  get isStanding(): boolean {
    const leastMs = Math.min(...this.#spans.map(({ delayMs }) => delayMs))
    return leastMs - Math.min(this.#baseMs, this.#formerBaseMs) > STANDING_MS
  }

  /** Delays from before a pause would be compared with a clock that has drifted, or with another route. */
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
