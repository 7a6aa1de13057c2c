import { type Arrival, ReferenceTime, readArrivals } from './arrival-feedback.ts'
import { ArrivalGroups } from './arrival-groups.ts'
import { DelayTrend, type LineState } from './delay-trend.ts'
import type { Estimate } from './downlink-budget.ts'
import { isLossMeasured } from './loss-control.ts'
import { ProbeCluster, type ProbeResult } from './probe-cluster.ts'
import { RateControl } from './rate-control.ts'
import { RateMeter } from './rate-meter.ts'
import { sendTimeOf } from './send-time.ts'
import { StandingQueue } from './standing-queue.ts'
import { UsualLosses } from './usual-losses.ts'

/** Number of sent packets that are remembered: several seconds at the highest rate. */
const CAPACITY = 8192
/** Maximum packets per second whose arrival is read from reports. A short report can claim thousands. */
const MAX_READ = 10_000
const LIMITS = { minBps: 50_000, maxBps: 30_000_000, isProbed: true }
const WINDOW_MS = 500
/**
 * Window of the latest rate. The rate over WINDOW_MS lags behind changes, so the latest rate replaces it if it is higher, or if
 * it is below IS_SLOWER of it, which means that the link has become slower.
 */
const LATEST_WINDOW_MS = 250
const IS_SLOWER = 0.85
/** Interval of estimates, as browsers send theirs. A fall below REPORTED_FALL of the last one is reported at once. */
const REPORT_MS = 1000
const REPORTED_FALL = 0.97
/** After a fall within this time of a rise, the rise was too high. */
const RISEN_MS = 3000
/**
 * Time in which the queue of a probe empties: after the probe (`ended`), and after the report that the probe filled the link
 * (`full`).
 */
const EMPTYING_MS = { ended: 150, full: 300 }
/**
 * A full probe that measures less than this share of the estimate has found a slower link: that link causes the queue, not the
 * probe.
 */
const IS_SAME_LINK = 0.8
/** Maximum wait for the reports of a probe after its end. */
const PROBE_REPORTS_MS = 1000

interface Sent {
  readonly sequence: number
  readonly atMs: number
  readonly bytes: number
  readonly cluster: ProbeCluster | undefined
}

export interface EstimateListener {
  onBandwidth(estimate: Estimate): void
  onLoss(share: number): void
  /** Receives the result of a probe; undefined if it measured nothing. */
  onProbe(result: ProbeResult | undefined): void
}

/**
 * Estimates a viewer's bandwidth from its transport-cc feedback. The estimate falls like those that browsers send (REMB), but
 * sooner. It rises only by probes.
 */
export class DownlinkEstimate {
  readonly #listener: EstimateListener
  readonly #sent: (Sent | undefined)[] = Array.from({ length: CAPACITY }, () => undefined)
  readonly #groups = new ArrivalGroups()
  readonly #trend = new DelayTrend()
  readonly #queue = new StandingQueue()
  readonly #rate = new RateControl(LIMITS)
  readonly #arriving = new RateMeter(WINDOW_MS)
  readonly #latest = new RateMeter(LATEST_WINDOW_MS)
  #sequence = 0
  #reportedBps = LIMITS.maxBps
  #reportedAt = 0
  #risenAt = Number.NEGATIVE_INFINITY
  #isCertain = false
  #lossBeganAt: number | undefined
  #expected = 0
  #lost = 0
  readonly #reference = new ReferenceTime()
  /** Number of packets that may now be read from reports: a token bucket, refilled by MAX_READ per second. */
  #readable = MAX_READ
  #filledAt = 0
  readonly #usualLosses = new UsualLosses()
  /** The packets of the current probe, until they are reported. */
  #cluster: ProbeCluster | undefined
  #probeEndsAt = 0
  /** End of the time in which a queue may be due to a probe. */
  #emptyAt = Number.NEGATIVE_INFINITY
  /** True once transport-cc feedback has arrived. */
  hasReports = false

  constructor(listener: EstimateListener) {
    this.#listener = listener
  }

  /** Records a packet that is sent now. Returns its transport-wide sequence number. */
  send(bytes: number, nowMs: number): number {
    this.#sequence = (this.#sequence + 1) & 0xffff
    const cluster = this.isProbing(nowMs) ? this.#cluster : undefined
    const sent = { sequence: this.#sequence, atMs: nowMs, bytes, cluster }
    cluster?.send(sent)
    this.#sent[this.#sequence % CAPACITY] = sent
    return this.#sequence
  }

  /** Begins a probe, which measures whether the link carries everything that is sent until `endsAt`. */
  probe(endsAt: number): void {
    this.#cluster = new ProbeCluster()
    this.#probeEndsAt = endsAt
    this.#emptyAt = endsAt + EMPTYING_MS.ended
  }

  /** Returns whether packets that are sent now belong to a probe. */
  isProbing(nowMs: number): boolean {
    return nowMs <= this.#probeEndsAt
  }

  /**
   * Applies a rate that a probe has measured.
   * @returns that rate within the limits
   */
  raise(bps: number, nowMs: number): number {
    const before = this.#rate.bps
    const carriedBps = this.#rate.raise(bps)
    if (this.#rate.bps === before) return carriedBps
    this.#reportedBps = this.#rate.bps
    this.#risenAt = nowMs
    return carriedBps
  }

  /** @returns the number of packets read from the report */
  receive(part: Buffer, nowMs: number): number {
    const passedMs = Math.max(0, nowMs - this.#filledAt)
    this.#readable = Math.min(MAX_READ, this.#readable + (passedMs * MAX_READ) / 1000)
    this.#filledAt = nowMs
    if (this.#readable < 1) return 0
    const arrivals = readArrivals(part, this.#reference, Math.floor(this.#readable))
    if (arrivals === undefined) return 0
    this.hasReports = true
    this.#readable -= arrivals.length
    for (const arrival of arrivals) this.#take(arrival, nowMs)
    this.#reportLoss(nowMs)
    this.#reportProbe(nowMs)
    this.#reportBandwidth(nowMs)
    return arrivals.length
  }

  /** Each packet counts once: numbers that were not sent, or reported before, are ignored. */
  #take({ sequence, arrivedMs }: Arrival, nowMs: number): void {
    const sent = this.#sent[sequence % CAPACITY]
    if (sent?.sequence !== sequence) return
    this.#sent[sequence % CAPACITY] = undefined
    this.#expected += 1
    if (sent.cluster) sent.cluster.receive(sent, arrivedMs)
    else this.#usualLosses.add(arrivedMs === undefined)
    if (arrivedMs === undefined) {
      this.#lost += 1
      return
    }
    this.#arriving.add(sent.bytes, arrivedMs)
    this.#latest.add(sent.bytes, arrivedMs)
    // The short queue of a probe is no sign of a full link.
    if (sent.cluster !== undefined) return
    this.#queue.add(sent.atMs, arrivedMs)
    const times = this.#groups.receive(sendTimeOf(sent.atMs), arrivedMs)
    if (times !== undefined) this.#update(this.#trend.update(times, arrivedMs), arrivedMs, nowMs)
  }

  /** Jitter and pauses also let delays grow for a moment. The link is full only if the queue is a standing one. */
  #update(trend: LineState, arrivedMs: number, nowMs: number): void {
    const isFalseAlarm = trend === 'overused' && (nowMs < this.#emptyAt || !this.#queue.isStanding)
    const before = this.#rate.bps
    this.#rate.update(isFalseAlarm ? 'normal' : trend, this.#carriedBps(arrivedMs), arrivedMs)
    this.#isCertain ||= this.#rate.bps < before && nowMs - this.#risenAt < RISEN_MS
  }

  /** Returns the rate that the line carries now. */
  #carriedBps(nowMs: number): number {
    const [arrivingBps, latestBps] = [this.#arriving.bps(nowMs), this.#latest.bps(nowMs)]
    return latestBps > arrivingBps || latestBps < arrivingBps * IS_SLOWER ? latestBps : arrivingBps
  }

  #reportLoss(nowMs: number): void {
    this.#lossBeganAt ??= nowMs
    if (nowMs - this.#lossBeganAt < REPORT_MS || !isLossMeasured(this.#lost, this.#expected)) return
    this.#listener.onLoss(this.#lost / this.#expected)
    this.#expected = 0
    this.#lost = 0
    this.#lossBeganAt = nowMs
  }

  #reportProbe(nowMs: number): void {
    if (this.#cluster === undefined || this.isProbing(nowMs)) return
    if (!this.#cluster.isReported && nowMs - this.#probeEndsAt < PROBE_REPORTS_MS) return
    const result = this.#cluster.result(this.#usualLosses.share)
    const isFull = result?.isFull === true && result.bps > this.#rate.bps * IS_SAME_LINK
    this.#emptyAt = isFull ? nowMs + EMPTYING_MS.full : nowMs
    this.#cluster = undefined
    this.#listener.onProbe(result)
  }

  /** Reports the estimate when it is due. There is none until the link has been full, or a probe was measured. */
  #reportBandwidth(nowMs: number): void {
    const { bps } = this.#rate
    const isFall = this.#isCertain || bps < this.#reportedBps * REPORTED_FALL
    const isDue = this.#reportedBps < LIMITS.maxBps && nowMs - this.#reportedAt >= REPORT_MS
    if (!isFall && !isDue) return
    this.#reportedBps = bps
    this.#reportedAt = nowMs
    this.#listener.onBandwidth({ bps, isCertain: this.#isCertain })
    this.#isCertain = false
  }
}
