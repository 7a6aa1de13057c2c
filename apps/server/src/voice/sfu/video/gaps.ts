import { difference } from '../sequences.ts'

/** Maximum missing packets that are requested. If more are missing, only a key frame helps. */
const MAX_MISSING = 100
const RETRY_MS = 100
const MAX_TRIES = 5

interface Request {
  tries: number
  askedAt: number
}

/** Tracks the missing packets of a stream, which are requested again (NACK). */
export class Gaps {
  readonly #missing = new Map<number, Request>()
  #last: number | undefined

  /** @returns false if so much is missing that only a key frame helps */
  receive(sequence: number): boolean {
    const ahead = this.#last === undefined ? 1 : difference(sequence, this.#last)
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
      this.#missing.set((last + missing) & 0xffff, { tries: 0, askedAt: Number.NEGATIVE_INFINITY })
    return true
  }

  /** Returns the packets to request now. Packets that were requested too often are given up. */
  due(nowMs: number): number[] {
    const due: number[] = []
    for (const [sequence, request] of this.#missing) {
      if (nowMs - request.askedAt < RETRY_MS) continue
      if (request.tries === MAX_TRIES) {
        this.#missing.delete(sequence)
        continue
      }
      request.tries += 1
      request.askedAt = nowMs
      due.push(sequence)
    }
    return due
  }

  clear(): void {
    this.#missing.clear()
    this.#last = undefined
  }
}
