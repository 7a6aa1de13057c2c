/** Delays are kept as the least one in each of these spans. */
const SPAN_MS = 50
/** Number of spans over which a queue has to stand: the pauses of wireless networks are shorter. */
const STANDING_SPANS = 3
/** A queue of this length is no jitter. */
const STANDING_MS = 10
/** Number of spans after which a queue has stood too long, and its length then. */
const STUCK_SPANS = 11
const STUCK_MS = 30
/** Interval at which such a queue has to become shorter, and by how much. */
const SHRINKING_EVERY_MS = 500
const SHRINKING_MS = 5
/** Number of intervals after which a queue that never became shorter is not one: the route has become longer. */
const MAX_STUCK = 3
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
  #lookedAt = Number.NEGATIVE_INFINITY
  #seenMs = 0
  #stuck = 0

  /** Adds a packet, by the clock of its sender and that of its receiver. */
  add(sentMs: number, arrivedMs: number): void {
    const delayMs = arrivedMs - sentMs
    if (arrivedMs - this.#baseSince > BASE_MS) this.#beginBase(arrivedMs)
    this.#baseMs = Math.min(this.#baseMs, delayMs)
    const number = Math.floor(arrivedMs / SPAN_MS)
    const last = this.#spans.at(-1)
    if (last?.number === number) last.delayMs = Math.min(last.delayMs, delayMs)
    else this.#spans = [...this.#latest(number, STUCK_SPANS - 1), { number, delayMs }]
  }

  /** True while all packets wait. */
  get isStanding(): boolean {
    return this.#lengthMs(STANDING_SPANS) > STANDING_MS
  }

  /**
   * Returns true at most every SHRINKING_EVERY_MS if a long queue does not become shorter. Growing delays do not show that: a full
   * queue grows no more.
   */
  isStuck(nowMs: number): boolean {
    if (nowMs - this.#lookedAt < SHRINKING_EVERY_MS) return false
    this.#lookedAt = nowMs
    const lengthMs = this.#spans.length < STUCK_SPANS - 1 ? 0 : this.#lengthMs(STUCK_SPANS)
    const isShrinking = lengthMs < this.#seenMs - SHRINKING_MS
    this.#seenMs = lengthMs
    if (lengthMs <= STUCK_MS) this.#stuck = 0
    if (lengthMs <= STUCK_MS || isShrinking) return false
    this.#stuck += 1
    if (this.#stuck <= MAX_STUCK) return true
    this.#stuck = 0
    this.#beginBase(nowMs)
    this.#formerBaseMs = this.#baseMs
    return false
  }

  #beginBase(nowMs: number): void {
    this.#formerBaseMs = this.#baseMs
    this.#baseMs = Math.min(...this.#spans.map(({ delayMs }) => delayMs))
    this.#baseSince = nowMs
  }

  #lengthMs(spans: number): number {
    const latest = this.#latest(this.#spans.at(-1)?.number ?? 0, spans)
    return Math.min(...latest.map(({ delayMs }) => delayMs)) - Math.min(this.#baseMs, this.#formerBaseMs)
  }

  /** Returns the spans of that many spans of time. A client can report any times, so their number is limited, too. */
  #latest(newest: number, spans: number): Span[] {
    return this.#spans.slice(-spans).filter(({ number }) => number > newest - spans)
  }
}
