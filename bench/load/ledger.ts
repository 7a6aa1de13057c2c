/** Times of one message. */
export interface Sent {
  /** Milliseconds on this process's clock. */
  sentAt: number
  ackedAt: number
  /** Time at which the last listener received the message; undefined until then. */
  receivedByAllAt: number | undefined
}

/**
 * Acknowledgements and deliveries of one room's messages. `seq` counts from 1 without gaps: a listener received each message
 * exactly once if each `seq` follows the last.
 */
export class Ledger {
  readonly #listeners: number
  readonly #acked: { seq: number; sentAt: number; ackedAt: number }[] = []
  /** Number of deliveries by seq. */
  readonly #received: number[] = []
  readonly #receivedByAllAt: number[] = []
  #deliveries = 0
  /** Number of deliveries whose seq did not follow the listener's last one. */
  outOfTurn = 0

  constructor(listeners: number) {
    this.#listeners = listeners
  }

  acknowledge(seq: number, sentAt: number): void {
    this.#acked.push({ seq, sentAt, ackedAt: performance.now() })
  }

  /** Returns the callback of a listener, to be called with the `seq` of each message it receives. */
  listener(): (seq: number) => void {
    let last = 0
    return (seq) => {
      if (seq !== last + 1) this.outOfTurn += 1
      last = seq
      this.#receive(seq)
    }
  }

  /** Number of deliveries still to come. */
  get missing(): number {
    return this.#acked.length * this.#listeners - this.#deliveries
  }

  /** Messages acknowledged since `time`. */
  ackedSince(time: number): Sent[] {
    return this.#acked
      .filter(({ ackedAt }) => ackedAt >= time)
      .map(({ seq, ...sent }) => ({ ...sent, receivedByAllAt: this.#receivedByAllAt[seq] }))
  }

  #receive(seq: number): void {
    const received = (this.#received[seq] ?? 0) + 1
    this.#received[seq] = received
    this.#deliveries += 1
    if (received === this.#listeners) this.#receivedByAllAt[seq] = performance.now()
  }
}
