import { ArrivalGroups } from './arrival-groups.ts'
import { DelayTrend } from './delay-trend.ts'
import { LossControl } from './loss-control.ts'
import { RateControl } from './rate-control.ts'
import { RateMeter } from './rate-meter.ts'
import { readSendTime } from './send-time.ts'

/** Minimum rate: enough for a small picture, and its audio. */
const MIN_BPS = 100_000
const WINDOW_MS = 500
/** A rate below this share of the last reported one is reported to the client at once. */
const REPORTED_FALL = 0.97

/** The rate that one client may send, estimated from the arrival of its video packets. */
export class Uplink {
  readonly #extension: number | undefined
  readonly #maxBps: number
  readonly #groups = new ArrivalGroups()
  readonly #trend = new DelayTrend()
  readonly #rate: RateControl
  readonly #loss: LossControl
  readonly #arriving = new RateMeter(WINDOW_MS)
  #reportedBps: number

  /**
   * @param extension id of abs-send-time; undefined if the client does not send it, so that only losses count
   * @param maxBps the first rate, and the maximum. Chrome adopts the first reported rate at once, and follows later ones slowly
   */
  constructor(extension: number | undefined, maxBps: number) {
    const limits = { minBps: MIN_BPS, maxBps }
    this.#extension = extension
    this.#maxBps = maxBps
    this.#rate = new RateControl(limits)
    this.#loss = new LossControl(limits)
    this.#reportedBps = maxBps
  }

  get bps(): number {
    return Math.min(this.#maxBps, this.#rate.bps, this.#loss.bps)
  }

  /** True if the rate has fallen since it was last reported to the client. */
  get hasFallen(): boolean {
    return this.bps < this.#reportedBps * REPORTED_FALL
  }

  /** Measures any packet of a picture, including RTX. */
  receive(received: Buffer, nowMs: number): void {
    this.#arriving.add(received.length, nowMs)
    const sendTime = this.#extension === undefined ? undefined : readSendTime(received, this.#extension)
    if (sendTime === undefined) return
    const times = this.#groups.receive(sendTime, nowMs)
    if (times === undefined) return
    this.#rate.update(this.#trend.update(times, nowMs), this.#arriving.bps(nowMs), nowMs)
  }

  /** @param share the share of packets since the last report that were lost */
  receiveLoss(share: number, nowMs: number): void {
    const arrivingBps = this.#arriving.bps(nowMs)
    this.#loss.update(share, share < 1 ? arrivingBps / (1 - share) : this.bps, nowMs)
  }

  /** Returns the rate for a report to the client. */
  report(): number {
    this.#reportedBps = this.bps
    return this.#reportedBps
  }
}
