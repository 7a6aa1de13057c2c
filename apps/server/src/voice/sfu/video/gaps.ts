import { difference } from '../sequences.ts'

/** Maximum missing packets that are requested. If more are missing, only a key frame helps. */
const MAX_MISSING = 100
const MAX_TRIES = 5
/** Limits of the time after which a request is repeated. Until the first answer, the time is MAX_RETRY_MS. */
const MAX_RETRY_MS = 100
const MIN_RETRY_MS = 30
/**
 * A request is repeated after this many times the average answer time. If repeated earlier, it would bring packets
 * twice.
 */
const LATE = 1.5
/** Weight of each new measurement in the average answer time. */
const WEIGHT = 1 / 4

interface Request {
  tries: number
  firstAskedAt: number | undefined
  askedAt: number
}

const NOT_ASKED: Request = { tries: 0, firstAskedAt: undefined, askedAt: Number.NEGATIVE_INFINITY }

/** Tracks the missing packets of a stream, which are requested again (NACK). */
export class Gaps {
  readonly #missing = new Map<number, Request>()
  #last: number | undefined
  /** Time from a request to its packet, averaged. */
  #answerMs = MAX_RETRY_MS

  /** @returns false if so much is missing that only a key frame helps */
  receive(sequence: number, nowMs: number): boolean {
    const ahead = this.#last === undefined ? 1 : difference(sequence, this.#last)
    this.#measure(this.#missing.get(sequence), nowMs)
    this.#missing.delete(sequence)
    if (ahead <= 0) return true
    const last = this.#last
    this.#last = sequence
    if (last === undefined || ahead === 1) return true
    if (ahead - 1 + this.#missing.size > MAX_MISSING) {
      this.#missing.clear()
      return false
    }
    for (let missing = 1; missing < ahead; missing += 1)
      this.#missing.set((last + missing) & 0xffff, { ...NOT_ASKED })
    return true
  }

  /** Returns the packets to request now. Packets that were requested too often are given up. */
  due(nowMs: number): number[] {
    const due: number[] = []
    for (const [sequence, request] of this.#missing) {
      if (nowMs - request.askedAt < this.#waitMs(request)) continue
      if (request.tries === MAX_TRIES) {
        this.#missing.delete(sequence)
        continue
      }
      request.tries += 1
      request.firstAskedAt ??= nowMs
      request.askedAt = nowMs
      due.push(sequence)
    }
    return due
  }

  clear(): void {
    this.#missing.clear()
    this.#last = undefined
  }

  /** Returns how long an answer to the last request may take. The time doubles with each try, to outlast a short outage. */
  #waitMs({ tries }: Request): number {
    return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, this.#answerMs * LATE) * 2 ** (tries - 1))
  }

  /** Measures from the first request: on a link that has become slower, every answer comes only after the request was repeated. */
  #measure(request: Request | undefined, nowMs: number): void {
    if (request?.firstAskedAt === undefined) return
    this.#answerMs += (nowMs - request.firstAskedAt - this.#answerMs) * WEIGHT
  }
}
