import { LossControl } from './loss-control.ts'

/** Before its client says anything: the smallest picture, some sound and padding. */
const FIRST_BPS = 250_000
const MAX_BPS = 30_000_000
const MIN_BPS = 50_000
/** Until its client says anything, more is tried at this pace: Chrome estimates nothing in the first seconds, unless a line is full. */
const STEP_MS = 250
const STEP = 1.25
/** The next step is only taken when most of this one was used. */
const IS_USED = 0.6
/** A smaller fall is noise. */
const IS_FALL = 0.97
/** At an overuse, browsers estimate this share of what arrives. */
const OVERUSED = 0.85
/** Below this share of what is sent, an estimate says that less arrives: the line is full. */
const IS_FULL = 0.8
/** A first estimate lags behind a rate that grows fast, and later ones rise from it slowly. */
const IS_FULL_WITHOUT_FALL = 0.7
/** Otherwise a queue has grown for a moment, and this share empties it. */
const AFTER_QUEUE = 0.95
/** Estimates of this time are still about the rate before the step back. */
const STEP_BACK_MS = 1000
const NOISE = 1.1
/** A rise counts when it has lasted for so long, so that pictures do not change to and fro. */
const RISE_MS = 1000
/** Bits per second of Opus with its headers. */
const SOUND_BPS = 40_000
const MAX_SOUNDS = 8

interface Estimate {
  readonly atMs: number
  readonly bps: number
}

export interface SentRates {
  /** Over a second, as browsers measure what arrives. */
  readonly sentBps: number
  /** Over half a second. */
  readonly latestBps: number
}

/** How much one viewer may be sent, by its own estimates (REMB) and its losses. All rates in here include sound. */
export class DownlinkBudget {
  readonly #reportsBandwidth: boolean
  readonly #loss = new LossControl({ minBps: MIN_BPS, maxBps: MAX_BPS })
  /** The last estimate; undefined before the first. */
  #reportedBps: number | undefined
  #bps: number
  #soundBps = 0
  #steppedAt: number | undefined
  #steppedBackAt = Number.NEGATIVE_INFINITY
  /** The rate before the last step, which the line has carried. */
  #carriedBps = 0
  #recent: Estimate[] = []

  /** @param reportsBandwidth false for clients that never send an estimate, whose losses alone count */
  constructor(reportsBandwidth: boolean) {
    this.#reportsBandwidth = reportsBandwidth
    this.#bps = reportsBandwidth ? FIRST_BPS : Number.POSITIVE_INFINITY
  }

  /**
   * Browsers estimate the rate of pictures alone. The sound beside them uses the rest of the line.
   * @param sent the rates of everything that is sent to the client, besides sound
   */
  receiveBandwidth(bps: number, sent: SentRates, nowMs: number): void {
    if (!this.#reportsBandwidth) return
    const limited = Math.min(MAX_BPS, Math.max(MIN_BPS, bps))
    this.#bps = this.#soundBps + this.#limit(limited, sent, nowMs)
    this.#reportedBps = limited
    this.#remember(nowMs)
  }

  /** @param share of the packets that were lost */
  receiveLoss(share: number, sentBps: number, nowMs: number): void {
    this.#loss.update(share, sentBps + this.#soundBps, nowMs)
    this.#remember(nowMs)
  }

  /** Tries more as long as the client says nothing. */
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
   * Returns the rate for pictures after all sounds have theirs; infinite if nothing limits it.
   * @param sounds that are heard now
   */
  picturesBps(sounds: number, nowMs: number): number {
    this.#soundBps = Math.min(MAX_SOUNDS, sounds) * SOUND_BPS
    const isSilent = this.#reportedBps === undefined && this.#reportsBandwidth
    if (isSilent) this.#bps = Math.max(this.#bps, FIRST_BPS + this.#soundBps)
    // Some padding at least: without anything that arrives, the client would never say that the line carries more.
    return Math.max(MIN_BPS, this.#lineBps(nowMs) - this.#soundBps)
  }

  /** Returns the rate besides sound. */
  #limit(bps: number, { sentBps, latestBps }: SentRates, nowMs: number): number {
    const before = this.#bps - this.#soundBps
    const isFirst = this.#reportedBps === undefined
    const isFall = bps < (this.#reportedBps ?? sentBps) * IS_FALL
    if (bps < sentBps * (isFall && !isFirst ? IS_FULL : IS_FULL_WITHOUT_FALL)) return bps
    // Chrome begins with what has arrived, even if the line carries far more.
    if (!isFall) return Math.max(bps, Math.min(before, sentBps * NOISE))
    if (nowMs - this.#steppedBackAt < STEP_BACK_MS) return Math.max(bps, before)
    this.#steppedBackAt = nowMs
    const arrivingShare = Math.min(1, bps / OVERUSED / sentBps)
    const carried = Math.max(latestBps * arrivingShare, isFirst ? this.#carriedBps - this.#soundBps : 0)
    return Math.max(bps, Math.min(before, carried) * AFTER_QUEUE)
  }

  #lineBps(nowMs: number): number {
    const now = Math.min(this.#bps, this.#loss.bps)
    if (this.#reportedBps === undefined) return now
    return Math.min(now, ...this.#recent.filter(({ atMs }) => nowMs - atMs < RISE_MS).map(({ bps }) => bps))
  }

  #remember(nowMs: number): void {
    const bps = Math.min(this.#bps, this.#loss.bps)
    this.#recent = [...this.#recent.filter(({ atMs }) => nowMs - atMs < RISE_MS), { atMs: nowMs, bps }]
  }
}
