import { isLossMeasured } from './loss-control.ts'
import type { LossBlock } from './receiver-feedback.ts'

const MIN_MS = 1000
/** More packets than a report ever covers: beyond this, the stream has restarted. */
const MAX_PACKETS = 20_000

/** Measures the share of packets that a client loses, over all streams it reports on. */
export class LossMeter {
  readonly #isOurs: (ssrc: number) => boolean
  readonly #before = new Map<number, LossBlock>()
  #expected = 0
  #lost = 0
  #measuredAt: number | undefined

  /** @param isOurs says which streams are sent to the client. Others are ignored */
  constructor(isOurs: (ssrc: number) => boolean) {
    this.#isOurs = isOurs
  }

  /** Adds reports. About once a second, returns the share of packets lost since it last returned a share. */
  receive(blocks: readonly LossBlock[], nowMs: number): number | undefined {
    for (const block of blocks) if (this.#isOurs(block.ssrc)) this.#add(block)
    this.#measuredAt ??= nowMs
    if (nowMs - this.#measuredAt < MIN_MS || !isLossMeasured(this.#lost, this.#expected)) return undefined
    const share = Math.min(1, Math.max(0, this.#lost / this.#expected))
    this.#expected = 0
    this.#lost = 0
    this.#measuredAt = nowMs
    return share
  }

  #add(block: LossBlock): void {
    const before = this.#before.get(block.ssrc)
    this.#before.set(block.ssrc, block)
    if (before === undefined) return
    const expected = (block.highestSequence - before.highestSequence) >>> 0
    if (expected > MAX_PACKETS) return
    this.#expected += expected
    this.#lost += block.lost - before.lost
  }
}
