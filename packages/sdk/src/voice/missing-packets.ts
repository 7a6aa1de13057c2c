import { aheadOf } from './sequences.ts'

/** Maximum missing packets to request again. If more are missing, only a key frame helps. */
const MAX_MISSING = 100
const RETRY_MS = 100
const MAX_TRIES = 5

interface Request {
  tries: number
  dueAt: number
}

/** Tracks the missing packets of a stream, to request them again (NACK). */
export class MissingPackets {
  readonly #requests = new Map<number, Request>()
  #last: number | undefined

  /** @returns false if so much is missing that only a key frame helps */
  receive(sequence: number, nowMs: number): boolean {
    const last = this.#last ?? (sequence - 1) & 0xffff
    const ahead = aheadOf(sequence, last)
    this.#requests.delete(sequence)
    if (ahead <= 0) return true
    this.#last = sequence
    if (ahead - 1 + this.#requests.size > MAX_MISSING) {
      this.#requests.clear()
      return false
    }
    for (let missing = 1; missing < ahead; missing += 1)
      this.#requests.set((last + missing) & 0xffff, { tries: 0, dueAt: nowMs })
    return true
  }

  /** Returns the packets to request now, and those given up after too many requests. */
  due(nowMs: number): { readonly asked: number[]; readonly lost: number[] } {
    const asked: number[] = []
    const lost: number[] = []
    for (const [sequence, request] of this.#requests) {
      if (nowMs < request.dueAt) continue
      request.tries += 1
      request.dueAt = nowMs + RETRY_MS
      const isLost = request.tries > MAX_TRIES
      if (isLost) this.#requests.delete(sequence)
      ;(isLost ? lost : asked).push(sequence)
    }
    return { asked, lost }
  }

  /** Makes `first` the next expected packet, and forgets missing packets before it. */
  startAt(first: number): void {
    for (const sequence of this.#requests.keys())
      if (aheadOf(sequence, first) < 0) this.#requests.delete(sequence)
    const before = (first - 1) & 0xffff
    if (this.#last === undefined || aheadOf(before, this.#last) > 0) this.#last = before
  }

  clear(): void {
    this.#requests.clear()
    this.#last = undefined
  }
}
