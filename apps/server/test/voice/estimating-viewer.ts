import { ArrivalGroups } from '#src/voice/sfu/bandwidth/arrival-groups.ts'
import { DelayTrend } from '#src/voice/sfu/bandwidth/delay-trend.ts'
import { RateMeter } from '#src/voice/sfu/bandwidth/rate-meter.ts'
import { readSendTime } from '#src/voice/sfu/bandwidth/send-time.ts'
import { writeBandwidth } from '#src/voice/sfu/video/rtcp.ts'

/** Time until Chrome's first estimate, unless the network is overused earlier. */
const FIRST_MS = 5000
const REPORT_MS = 1000
const MIN_MS_BETWEEN_FALLS = 200
const HEADER_BYTES = 20

/** Estimates its bandwidth as Chrome does: not at all at first, then rising by 8 % a second, up to 1.5 times the received rate. */
export class EstimatingViewer {
  readonly #extension: number
  readonly #groups = new ArrivalGroups()
  readonly #trend = new DelayTrend()
  readonly #arriving = new RateMeter(1000)
  bps: number | undefined
  #beganAt: number | undefined
  #updatedAt = 0
  #fellAt = 0
  #reportedAt = 0
  #reportedBps = Number.POSITIVE_INFINITY

  constructor(extension: number) {
    this.#extension = extension
  }

  /** Receives a packet of video, or of padding. */
  receive(packet: Buffer, nowMs: number): void {
    this.#beganAt ??= nowMs
    this.#arriving.add(packet.length - HEADER_BYTES, nowMs)
    const sendTime = readSendTime(packet, this.#extension)
    const times = sendTime === undefined ? undefined : this.#groups.receive(sendTime, nowMs)
    if (times === undefined) return
    const arriving = this.#arriving.bps(nowMs)
    const state = this.#trend.update(times, nowMs)
    if (state === 'overused' && nowMs - this.#fellAt > MIN_MS_BETWEEN_FALLS) {
      this.bps = Math.min(this.bps ?? arriving, arriving * 0.85)
      this.#fellAt = nowMs
    }
    if (this.bps === undefined && nowMs - this.#beganAt > FIRST_MS) this.bps = arriving
    if (state === 'normal' && this.bps !== undefined) {
      const risen = this.bps * 1.08 ** (Math.min(1000, nowMs - this.#updatedAt) / 1000)
      this.bps = Math.min(risen, Math.max(this.bps, arriving * 1.5 + 10_000))
    }
    this.#updatedAt = nowMs
  }

  /** Returns a report of the estimate (REMB) if one is due. */
  report(nowMs: number): Buffer | undefined {
    if (this.bps === undefined) return undefined
    const isFall = this.bps < this.#reportedBps * 0.97
    if (!isFall && nowMs - this.#reportedAt < REPORT_MS) return undefined
    this.#reportedAt = nowMs
    this.#reportedBps = this.bps
    return writeBandwidth(1, this.bps, [])
  }
}
