import { LossControl } from './loss-control.ts'

/** Budget before the first estimate of the client: the smallest picture, some audio and padding. */
const FIRST_BPS = 250_000
const MAX_BPS = 30_000_000
const MIN_BPS = 50_000
/** Interval of increases before the first estimate. Chrome sends no estimate in the first seconds, unless the link is full. */
const STEP_MS = 250
const STEP = 1.25
/** The budget is only increased if more than this share of it was used. */
const IS_USED = 0.6
/** An estimate below this share of the one before is a fall. A smaller fall is noise. */
const IS_FALL = 0.97
/** Browsers that detect an overuse estimate this share of the arriving rate. */
const OVERUSED = 0.85
/** An estimate below this share of the sent rate means that less arrives than is sent: the link is full. */
const IS_FULL = 0.8
/**
 * Replaces IS_FULL if the estimate has not fallen, because estimates rise slowly, and for a first estimate, which lags behind a
 * fast-growing rate.
 */
const IS_FULL_WITHOUT_FALL = 0.7
/** A fall without a full link means that a queue has grown for a moment. Sending at this share of the rate empties the queue. */
const AFTER_QUEUE = 0.95
/** Time after a fall without a full link for which estimates still describe the rate before it. */
const STEP_BACK_MS = 1000
const NOISE = 1.1
/** Time that a rise must last before it counts, so that layers do not switch back and forth. */
const RISE_MS = 1000
/** Bits per second of one Opus stream with its headers. */
const SOUND_BPS = 40_000
const MAX_SOUNDS = 8

export interface Estimate {
  readonly bps: number
  /** True if the link certainly carries no more, so a brief queue cannot be the cause of the estimate. */
  readonly isCertain: boolean
}

interface RecentBudget {
  readonly atMs: number
  readonly bps: number
}

export interface SentRates {
  /** Average over one second, like the arriving rate that browsers measure. */
  readonly sentBps: number
  /** Average over half a second. */
  readonly latestBps: number
}

/** The rate that one viewer may be sent, by estimates of its link (the server's, or REMB), probes and losses. Fields include audio unless noted. */
export class DownlinkBudget {
  readonly #reportsBandwidth: boolean
  readonly #loss = new LossControl({ minBps: MIN_BPS, maxBps: MAX_BPS })
  /** The client's last estimate, without audio; undefined before the first. */
  #reportedBps: number | undefined
  #bps: number
  #soundBps = 0
  #steppedAt: number | undefined
  #steppedBackAt = Number.NEGATIVE_INFINITY
  /** The budget before the last increase: a rate that the link has carried. */
  #carriedBps = 0
  #recent: RecentBudget[] = []

  /** @param reportsBandwidth false for clients that never send an estimate: only their losses count */
  constructor(reportsBandwidth: boolean) {
    this.#reportsBandwidth = reportsBandwidth
    this.#bps = reportsBandwidth ? FIRST_BPS : Number.POSITIVE_INFINITY
  }

  /**
   * Handles an estimate. Browsers estimate the rate of pictures alone, so the rate of audio is added.
   * @param sent the rates of everything that is sent to the client, except audio
   */
  receiveBandwidth({ bps, isCertain }: Estimate, sent: SentRates, nowMs: number): void {
    if (!this.#reportsBandwidth) return
    const limited = Math.min(MAX_BPS, Math.max(MIN_BPS, bps))
    this.#bps = this.#soundBps + (isCertain ? limited : this.#limit(limited, sent, nowMs))
    this.#reportedBps = limited
    this.#remember(nowMs)
  }

  /**
   * Handles a rate that the link has just carried, without audio. A rise applies at once, without waiting for RISE_MS.
   * @param isWhole true if nothing was lost at this rate
   * @returns whether this raises the budget
   */
  receiveProbe(bps: number, isWhole: boolean): boolean {
    if (!this.#reportsBandwidth) return false
    const carriedBps = this.#soundBps + bps
    const before = Math.min(this.#bps, this.#loss.bps)
    if (isWhole) this.#loss.raise(carriedBps)
    if (carriedBps > this.#bps) {
      this.#bps = carriedBps
      this.#reportedBps = bps
      this.#recent = []
    }
    return Math.min(this.#bps, this.#loss.bps) > before
  }

  /** @param share the share of packets that were lost */
  receiveLoss(share: number, sentBps: number, nowMs: number): void {
    this.#loss.update(share, sentBps + this.#soundBps, nowMs)
    this.#remember(nowMs)
  }

  /** Increases the budget until the client has sent an estimate. */
  tick(sentBps: number, nowMs: number): void {
    if (this.#reportedBps !== undefined || !this.#reportsBandwidth || sentBps === 0) return
    this.#steppedAt ??= nowMs
    const isUsed = sentBps + this.#soundBps > this.#bps * IS_USED
    if (!isUsed || nowMs - this.#steppedAt < STEP_MS) return
    this.#steppedAt = nowMs
    this.#carriedBps = this.#bps
    this.#bps = Math.min(MAX_BPS, this.#bps * STEP)
  }

  /**
   * Returns the rate that audio leaves for pictures; infinite if nothing limits it.
   * @param sounds number of audio streams that the client receives now
   */
  picturesBps(sounds: number, nowMs: number): number {
    this.#soundBps = Math.min(MAX_SOUNDS, sounds) * SOUND_BPS
    const isSilent = this.#reportedBps === undefined && this.#reportsBandwidth
    if (isSilent) this.#bps = Math.max(this.#bps, FIRST_BPS + this.#soundBps)
    // The minimum leaves room for padding: if nothing arrived, the client would never report that the link carries more.
    return Math.max(MIN_BPS, this.lineBps(nowMs) - this.#soundBps)
  }

  /** Returns the budget without audio. */
  #limit(bps: number, { sentBps, latestBps }: SentRates, nowMs: number): number {
    const before = this.#bps - this.#soundBps
    const isFirst = this.#reportedBps === undefined
    const isFall = bps < (this.#reportedBps ?? sentBps) * IS_FALL
    if (bps < sentBps * (isFall && !isFirst ? IS_FULL : IS_FULL_WITHOUT_FALL)) return bps
    // Chrome's first estimate is the rate that has arrived, even if the link carries far more.
    if (!isFall) return Math.max(bps, Math.min(before, sentBps * NOISE))
    if (nowMs - this.#steppedBackAt < STEP_BACK_MS) return Math.max(bps, before)
    this.#steppedBackAt = nowMs
    const arrivingShare = Math.min(1, bps / OVERUSED / sentBps)
    const carried = Math.max(latestBps * arrivingShare, isFirst ? this.#carriedBps - this.#soundBps : 0)
    return Math.max(bps, Math.min(before, carried) * AFTER_QUEUE)
  }

  /** Returns the budget with audio. */
  lineBps(nowMs: number): number {
    const now = Math.min(this.#bps, this.#loss.bps)
    if (this.#reportedBps === undefined) return now
    return Math.min(now, ...this.#recent.filter(({ atMs }) => nowMs - atMs < RISE_MS).map(({ bps }) => bps))
  }

  #remember(nowMs: number): void {
    const bps = Math.min(this.#bps, this.#loss.bps)
    this.#recent = [...this.#recent.filter(({ atMs }) => nowMs - atMs < RISE_MS), { atMs: nowMs, bps }]
  }
}
