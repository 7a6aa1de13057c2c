import type { MediaLine } from './offer-lines.ts'
import type { Peer } from './peer.ts'
import { RtpPacket } from './rtp-packet.ts'
import type { Splice } from './splice.ts'
import { Reception, type ReportBlock, type SenderReport } from './video/reception.ts'
import { SenderClock } from './video/sender-clock.ts'
import { StreamClock } from './video/stream-clock.ts'
import { StreamReports } from './video/stream-reports.ts'
import { VoiceActivity } from './voice-activity.ts'

const CLOCK_PER_MS = 48

/** A listener's slot to which this publisher is forwarded. */
export interface Route {
  readonly splice: Splice
  readonly peer: Pick<Peer, 'send'>
  /** True if the listener also receives video, with which audio must be in sync. Other listeners need no sender reports. */
  readonly takesReports: boolean
}

/** Media packets of the whole process since it started. */
export interface PacketCounts {
  forwarded: number
  dropped: number
}

/** The microphone of one client, or the audio of its screen: checks incoming packets and forwards them to listeners. */
export class Publisher {
  readonly activity = new VoiceActivity()
  /** Current receivers of the packets. */
  routes: readonly Route[] = []
  #canSpeak: boolean
  readonly #line: MediaLine
  readonly #counts: PacketCounts
  readonly #packet = new RtpPacket()
  readonly #clock: StreamClock
  readonly #reports: StreamReports
  /** SSRC of the accepted stream: the stream in the offer, or else the first to arrive. */
  #ssrc: number | undefined
  #reception: Reception | undefined

  /** @param settings `clock` is shared by all streams of the sender */
  constructor(
    line: MediaLine,
    counts: PacketCounts,
    { canSpeak, clock = new SenderClock() }: { canSpeak: boolean; clock?: SenderClock },
  ) {
    this.#line = line
    this.#counts = counts
    this.#ssrc = line.ssrc
    this.#canSpeak = canSpeak
    this.#clock = new StreamClock(clock, CLOCK_PER_MS)
    this.#reports = new StreamReports(this.#clock)
  }

  setCanSpeak(canSpeak: boolean, nowMs: number): void {
    if (canSpeak === this.#canSpeak) return
    this.#canSpeak = canSpeak
    if (!canSpeak) this.activity.silence(nowMs)
    // Packets that were not forwarded must not look like loss.
    for (const { splice } of this.routes) splice.restart()
  }

  /** @returns whether the user starts to speak with this packet */
  receive(received: Buffer, nowMs: number): boolean {
    const isOurs = this.#isOurs(received)
    // Counted even if it is not forwarded: it has arrived, so it was not lost.
    if (isOurs) {
      this.#reception ??= new Reception(this.#packet.ssrc, CLOCK_PER_MS)
      this.#reception.receive(this.#packet, nowMs)
    }
    if (!this.#canSpeak) return false
    if (!isOurs) {
      this.#counts.dropped += 1
      return false
    }
    this.#clock.receivePacket(this.#packet.timestamp, nowMs)
    this.#forward(nowMs)
    return this.activity.receive(this.#packet.level, nowMs)
  }

  /**
   * Handles a sender report. If the stream's clock has jumped, the listeners' streams jump, too, but with the next
   * packet, not with a report.
   */
  receiveReport(report: SenderReport, nowMs: number): void {
    this.#reception?.receiveReport(report, nowMs)
    if (this.#clock.receiveReport(report, nowMs)) for (const { splice } of this.routes) splice.restart()
  }

  /** Sends RTCP sender reports to the listeners when they are due. */
  report(nowMs: number): void {
    if (!this.#canSpeak) return
    this.#reports.tick(nowMs, () =>
      this.routes.flatMap(({ splice, peer, takesReports }) =>
        takesReports ? [{ stream: splice, peer }] : [],
      ),
    )
  }

  /** Returns the reception statistics for a report to the sender; undefined before the first packet. */
  reportBlock(nowMs: number): ReportBlock | undefined {
    return this.#reception?.report(nowMs)
  }

  #isOurs(received: Buffer): boolean {
    const packet = this.#packet
    if (!packet.read(received, this.#line.levelExtension)) return false
    if (packet.payloadType !== this.#line.payloadType) return false
    this.#ssrc ??= packet.ssrc
    return packet.ssrc === this.#ssrc
  }

  /** The most expensive part: each packet is rewritten in place and sent to every listener. */
  #forward(nowMs: number): void {
    const packet = this.#packet
    for (const { splice, peer } of this.routes) {
      if (splice.write(packet, nowMs, this.#clock) && peer.send(packet.bytes)) this.#counts.forwarded += 1
    }
  }
}
