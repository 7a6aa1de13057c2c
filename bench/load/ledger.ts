/** What became of one message. */
export interface Sent {
  /** Milliseconds on this process's clock. */
  sentAt: number
  ackedAt: number
  /** When the last listener had it; undefined while one has not. */
  heardByAllAt: number | undefined
}

/**
 * One room's messages: what was acknowledged, and who heard it. `seq` counts from 1 without gaps, so a listener has
 * heard each message once exactly when each `seq` is the one after the last.
 */
export class Ledger {
  readonly #listeners: number
  readonly #acked: { seq: number; sentAt: number; ackedAt: number }[] = []
  /** By seq. */
  readonly #heard: number[] = []
  readonly #heardByAllAt: number[] = []
  #deliveries = 0
  /** Deliveries that were not of the next message. */
  outOfTurn = 0

  constructor(listeners: number) {
    this.#listeners = listeners
  }

  acknowledge(seq: number, sentAt: number): void {
    this.#acked.push({ seq, sentAt, ackedAt: performance.now() })
  }

  /** A listener's ear: call it with the `seq` of each message that the listener gets. */
  listener(): (seq: number) => void {
    let last = 0
    return (seq) => {
      if (seq !== last + 1) this.outOfTurn += 1
      last = seq
      this.#hear(seq)
    }
  }

  /** Deliveries that must still come. */
  get missing(): number {
    return this.#acked.length * this.#listeners - this.#deliveries
  }

  /** The messages that were acknowledged since. */
  ackedSince(time: number): Sent[] {
    return this.#acked
      .filter(({ ackedAt }) => ackedAt >= time)
      .map(({ seq, ...sent }) => ({ ...sent, heardByAllAt: this.#heardByAllAt[seq] }))
  }

  #hear(seq: number): void {
    const heard = (this.#heard[seq] ?? 0) + 1
    this.#heard[seq] = heard
    this.#deliveries += 1
    if (heard === this.#listeners) this.#heardByAllAt[seq] = performance.now()
  }
}
