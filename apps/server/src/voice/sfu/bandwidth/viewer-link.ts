import { HEADER_BYTES, isRtcp, ssrcOf } from '../rtp-packet.ts'
import { partsOf } from '../video/rtcp.ts'
import { DownlinkBudget, type Estimate } from './downlink-budget.ts'
import { DownlinkEstimate } from './downlink-estimate.ts'
import { LossMeter } from './loss-meter.ts'
import type { NextStep } from './next-step.ts'
import { Pacer } from './pacer.ts'
import { Padding, type RepairStream } from './padding.ts'
import type { ProbeResult } from './probe-cluster.ts'
import { Probes, probeMs } from './probes.ts'
import { Probing } from './probing.ts'
import { RateMeter } from './rate-meter.ts'
import { readReceiverFeedback } from './receiver-feedback.ts'
import { withExtension, writeSendTime, writeSequence } from './send-time.ts'

/** Window of the sent rate. Browsers measure arrivals over the same time, and both rates are compared. */
const WINDOW_MS = 1000
const LATEST_MS = 500
/** Minimum rate of the pacer, because a layer that has just begun has not been measured yet. */
const MIN_PACED_BPS = 150_000
/**
 * Multiples of the budget at which packets are sent, so that a key frame does not wait long. The excess waits in the network's
 * queue and also delays audio, so it is less where the server measures the link (`measured`) than with a client's own estimates.
 */
const HEADROOM = { measured: 1.05, reported: 1.2 }

export interface ViewerLine {
  /** Id of the transport-cc header extension. Without it, `sentAt` is the id of abs-send-time. */
  readonly sequence: number | undefined
  readonly sentAt: number | undefined
  /** True if the client sends estimates (REMB). */
  readonly reportsBandwidth: boolean
  /** RTX stream, which also carries padding to probe the link; undefined without RTX. */
  readonly repair: RepairStream | undefined
  /** Returns whether the stream is sent to the client. */
  isOurs(ssrc: number): boolean
}

/** Size of the shared buffer, larger than any packet with an extension. */
const PASSING_BYTES = 2048
const passing = Buffer.alloc(PASSING_BYTES)
const passingByLength: Buffer[] = []

/**
 * Returns the shared buffer in which packets get their extension. The native library copies what it sends. A buffer per packet
 * would cause most of the garbage collection.
 */
function passingBuffer(length: number): Buffer {
  const known = passingByLength[length] ?? passing.subarray(0, length)
  passingByLength[length] = known
  return known
}

/** Sends video to one viewer within its bandwidth budget. Audio does not pass through here, and never waits. */
export class ViewerLink {
  readonly #line: ViewerLine
  readonly #budget: DownlinkBudget
  /** Undefined if the client does not report arrivals. */
  readonly #estimate: DownlinkEstimate | undefined
  readonly #losses: LossMeter
  readonly #pacer: Pacer
  readonly #padding = new Padding()
  readonly #probing = new Probing()
  readonly #probes = new Probes()
  /** Rate of all sent packets, including padding and RTX. */
  readonly #sent = new RateMeter(WINDOW_MS)
  readonly #latest = new RateMeter(LATEST_MS)
  readonly #pictures = new RateMeter(WINDOW_MS)
  readonly #sendNow: (packet: Buffer) => boolean
  readonly #now: () => number

  constructor(line: ViewerLine, send: (packet: Buffer) => boolean, now = () => performance.now()) {
    this.#line = line
    this.#sendNow = send
    this.#now = now
    // Without RTX, padding cannot probe the link, and a budget would never reach the rate of the next layer. Only losses limit
    // the rate.
    const reports = line.reportsBandwidth || line.sequence !== undefined
    this.#budget = new DownlinkBudget(reports && line.repair !== undefined)
    this.#estimate = line.sequence === undefined ? undefined : this.#newEstimate()
    this.#losses = new LossMeter((ssrc) => line.isOurs(ssrc))
    this.#pacer = new Pacer((packet, nowMs) => this.#releasePicture(packet, nowMs))
  }

  /**
   * Sends RTCP at once, and a video packet as soon as the pacer allows.
   * @returns false if it was not sent
   */
  send(packet: Buffer): boolean {
    if (isRtcp(packet)) return this.#sendNow(packet)
    const nowMs = this.#now()
    this.#pictures.add(packet.length - HEADER_BYTES, nowMs)
    return this.#pacer.send(this.#withRoom(packet), nowMs)
  }

  /** Handles the client's RTCP feedback on bandwidth and losses. */
  receiveReport(received: Buffer, nowMs: number): void {
    if (this.#estimate) {
      for (const part of partsOf(received)) this.#estimate.receive(part, nowMs)
      if (this.#estimate.hasReports) return
    }
    const { bandwidthBps, blocks } = readReceiverFeedback(received)
    if (bandwidthBps !== undefined) this.#takeBandwidth({ bps: bandwidthBps, isCertain: false }, nowMs)
    const lostShare = this.#losses.receive(blocks, nowMs)
    if (lostShare !== undefined) this.#budget.receiveLoss(lostShare, this.#sent.bps(nowMs), nowMs)
  }

  /**
   * Returns the rate for pictures; infinite if nothing limits it.
   * @param sounds number of audio streams that may be sent at once
   */
  budgetBps(sounds: number, nowMs: number): number {
    this.#budget.tick(this.#sent.bps(nowMs), nowMs)
    const budgetBps = this.#budget.picturesBps(sounds, nowMs)
    const headroom = this.#isMeasured ? HEADROOM.measured : HEADROOM.reported
    this.#pacer.setRate(Math.max(MIN_PACED_BPS, budgetBps) * headroom, nowMs)
    return budgetBps
  }

  /**
   * Sends padding to find out whether the link carries more: in short probes if the client reports arrivals, and otherwise all
   * the time. A newly chosen layer counts at once, before its rate is measured here.
   */
  probe(budgetBps: number, step: NextStep, nowMs: number): void {
    if (this.#isMeasured) return this.#beginProbe(budgetBps, step, nowMs)
    const { chosenBps, wantedBps } = step
    const sentBps = Math.max(chosenBps, this.#pictures.bps(nowMs))
    this.#padding.setRate(this.#probing.rate({ budgetBps, wantedBps, sentBps }, nowMs), nowMs)
  }

  /** Sends video packets and padding that are due. Called every few milliseconds. */
  pace(nowMs: number): void {
    this.#pacer.flush(nowMs)
    const { repair } = this.#line
    if (repair === undefined) return
    if (this.#isMeasured && !this.#isProbing(nowMs)) this.#padding.setRate(0, nowMs)
    for (const packet of this.#padding.take(repair, nowMs)) this.#release(this.#withRoom(packet), nowMs)
  }

  /** Drops the packets of these streams that are still waiting. */
  drop(ssrcs: readonly number[]): void {
    this.#pacer.drop((packet) => ssrcs.includes(ssrcOf(packet)))
  }

  /** True once the client has reported arrivals. */
  get #isMeasured(): boolean {
    return this.#estimate?.hasReports === true
  }

  #isProbing(nowMs: number): boolean {
    return this.#estimate?.isProbing(nowMs) === true
  }

  #beginProbe(budgetBps: number, step: NextStep, nowMs: number): void {
    const bps = this.#probes.next(
      { picturesBps: budgetBps, lineBps: this.#budget.lineBps(nowMs) },
      step,
      nowMs,
    )
    if (bps === undefined) return
    this.#estimate?.probe(nowMs + probeMs(bps))
    // Clears the bits left over from the last probe.
    this.#padding.setRate(0, nowMs)
    this.#padding.setRate(bps, nowMs)
  }

  #takeProbe(result: ProbeResult | undefined, nowMs: number): void {
    const carriedBps = result === undefined ? undefined : this.#estimate?.raise(result.bps, nowMs)
    const isRise = carriedBps !== undefined && this.#budget.receiveProbe(carriedBps, result?.isWhole === true)
    this.#probes.receive(result, isRise, nowMs)
  }

  #newEstimate(): DownlinkEstimate {
    return new DownlinkEstimate({
      onBandwidth: (estimate) => this.#takeBandwidth(estimate, this.#now()),
      onProbe: (result) => this.#takeProbe(result, this.#now()),
      onLoss: (share) => this.#budget.receiveLoss(share, this.#sent.bps(this.#now()), this.#now()),
    })
  }

  #takeBandwidth(estimate: Estimate, nowMs: number): void {
    const sent = { sentBps: this.#sent.bps(nowMs), latestBps: this.#latest.bps(nowMs) }
    this.#budget.receiveBandwidth(estimate, sent, nowMs)
  }

  /** Returns the packet with room for this link's extension. Its buffer is valid until the next call. */
  #withRoom(packet: Buffer): Buffer {
    const { sequence, sentAt } = this.#line
    return sequence === undefined && sentAt === undefined ? packet : withExtension(packet, passingBuffer)
  }

  #releasePicture(packet: Buffer, nowMs: number): boolean {
    if (this.#isProbing(nowMs)) this.#padding.replaceWith(packet.length - HEADER_BYTES)
    return this.#release(packet, nowMs)
  }

  #release(packet: Buffer, nowMs: number): boolean {
    const { sequence, sentAt } = this.#line
    const bytes = packet.length - HEADER_BYTES
    if (sequence !== undefined && this.#estimate)
      writeSequence(packet, sequence, this.#estimate.send(bytes, nowMs))
    else if (sentAt !== undefined) writeSendTime(packet, sentAt, nowMs)
    this.#sent.add(bytes, nowMs)
    this.#latest.add(bytes, nowMs)
    return this.#sendNow(packet)
  }
}
