import type { ReceivedStream } from './rtcp.ts'
import { aheadOf } from './sequences.ts'

const MAX_LOST = 0x7f_ff_ff

/** Counts the received packets of a stream, for the RTCP reports by which the server adapts to the network. */
export class Reception {
  readonly #ssrc: number
  #first: number | undefined
  #highest = 0
  #received = 0
  #before = { expected: 0, received: 0 }

  constructor(ssrc: number) {
    this.#ssrc = ssrc
  }

  receive(sequence: number): void {
    this.#received += 1
    if (this.#first === undefined) {
      this.#first = sequence
      this.#highest = sequence
    } else this.#highest += Math.max(0, aheadOf(sequence, this.#highest & 0xffff))
  }

  /** Returns the figures since the last report; undefined if nothing has arrived yet. */
  report(): ReceivedStream | undefined {
    if (this.#first === undefined) return undefined
    const expected = this.#highest - this.#first + 1
    const [expectedNow, receivedNow] = [
      expected - this.#before.expected,
      this.#received - this.#before.received,
    ]
    this.#before = { expected, received: this.#received }
    const lostNow = Math.max(0, expectedNow - receivedNow)
    return {
      ssrc: this.#ssrc,
      fractionLost: expectedNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
      lost: Math.min(MAX_LOST, Math.max(0, expected - this.#received)),
      highestSequence: this.#highest,
    }
  }
}
