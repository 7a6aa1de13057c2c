import { ArrivalGroups } from './arrival-groups.ts'
import { DelayTrend } from './delay-trend.ts'
import { LossControl } from './loss-control.ts'
import { RateControl } from './rate-control.ts'
import { RateMeter } from './rate-meter.ts'
import { readSendTime } from './send-time.ts'

/** A small picture, and the sound beside it. */
const MIN_BPS = 100_000
const WINDOW_MS = 500
/** The client is notified at once of a fall by more than this share. */
const REPORTED_FALL = 0.97

/** How much one client may send, estimated from the arrival of its pictures. */
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
   * @param extension id of the time of sending; undefined if the client writes none, so that only losses count
   * @param maxBps the rate at which it begins. Chrome follows a first report at once, and later ones slowly
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

  /** The client does not know yet that it must send less. */
  get hasFallen(): boolean {
    return this.bps < this.#reportedBps * REPORTED_FALL
  }

  /** Takes any packet of a picture, also those that are sent again. */
  receive(received: Buffer, nowMs: number): void {
    this.#arriving.add(received.length, nowMs)
    const sendTime = this.#extension === undefined ? undefined : readSendTime(received, this.#extension)
    if (sendTime === undefined) return
    const times = this.#groups.receive(sendTime, nowMs)
    if (times === undefined) return
    this.#rate.update(this.#trend.update(times, nowMs), this.#arriving.bps(nowMs), nowMs)
  }

  /** @param share of the packets since the last report that were lost */
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
