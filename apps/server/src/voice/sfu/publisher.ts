import type { MediaLine } from './offer-lines.ts'
import type { Peer } from './peer.ts'
import { RtpPacket } from './rtp-packet.ts'
import type { Splice } from './splice.ts'
import { passReport, ReportPace } from './video/pass-report.ts'
import type { SenderReport } from './video/reception.ts'
import { VoiceActivity } from './voice-activity.ts'

/** A listener's slot with this publisher. */
export interface Route {
  readonly splice: Splice
  readonly peer: Pick<Peer, 'send'>
  /** The listener also receives pictures, with which sounds must agree. Others need no reports. */
  readonly takesReports: boolean
}

/** Counted over the whole process. */
export interface PacketCounts {
  forwarded: number
  dropped: number
}

/** The microphone of one client, or the sound of its screen: checks incoming packets and forwards them to the listeners. */
export class Publisher {
  readonly activity = new VoiceActivity()
  /** Current receivers of the packets. */
  routes: readonly Route[] = []
  #canSpeak: boolean
  readonly #line: MediaLine
  readonly #counts: PacketCounts
  readonly #reportPace = new ReportPace()
  readonly #packet = new RtpPacket()
  /** The accepted stream: the one in the offer, or else the first to arrive. */
  #ssrc: number | undefined

  constructor(line: MediaLine, counts: PacketCounts, canSpeak: boolean) {
    this.#line = line
    this.#counts = counts
    this.#ssrc = line.ssrc
    this.#canSpeak = canSpeak
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
    if (!this.#canSpeak) return false
    if (!this.#isOurs(received)) {
      this.#counts.dropped += 1
      return false
    }
    this.#forward(nowMs)
    return this.activity.receive(this.#packet.level, nowMs)
  }

  /** Passes the report of its sender on to the listeners. */
  receiveReport(report: SenderReport, nowMs: number): void {
    if (!this.#canSpeak || !this.#reportPace.isDue(nowMs)) return
    for (const { splice, peer, takesReports } of this.routes)
      if (takesReports) passReport(report, splice, peer)
  }

  #isOurs(received: Buffer): boolean {
    const packet = this.#packet
    if (!packet.read(received, this.#line.levelExtension)) return false
    if (packet.payloadType !== this.#line.payloadType) return false
    this.#ssrc ??= packet.ssrc
    return packet.ssrc === this.#ssrc
  }

  /** The most expensive part: each packet is rewritten in place and sent for every listener. */
  #forward(nowMs: number): void {
    const packet = this.#packet
    for (const { splice, peer } of this.routes) {
      if (splice.write(packet, nowMs) && peer.send(packet.bytes)) this.#counts.forwarded += 1
    }
  }
}
