import type { AudioLine } from './offer.ts'
import type { Peer } from './peer.ts'
import { RtpPacket } from './rtp-packet.ts'
import type { Splice } from './splice.ts'
import { VoiceActivity } from './voice-activity.ts'

/** A listener's slot in which the publisher is heard. */
export interface Route {
  readonly splice: Splice
  readonly peer: Peer
}

/** Of the whole process. */
export interface PacketCounts {
  forwarded: number
  dropped: number
}

/** The microphone of one client: judges what comes in, and forwards it to whoever hears it. */
export class Publisher {
  readonly activity = new VoiceActivity()
  /** Whoever the packets go to, as it stands. */
  routes: readonly Route[] = []
  #canSpeak: boolean
  readonly #line: AudioLine
  readonly #counts: PacketCounts
  readonly #packet = new RtpPacket()
  /** The one stream that is taken; where the offer names none, the first that comes. */
  #ssrc: number | undefined

  constructor(line: AudioLine, counts: PacketCounts, canSpeak: boolean) {
    this.#line = line
    this.#counts = counts
    this.#ssrc = line.ssrc
    this.#canSpeak = canSpeak
  }

  setCanSpeak(canSpeak: boolean, nowMs: number): void {
    if (canSpeak === this.#canSpeak) return
    this.#canSpeak = canSpeak
    if (!canSpeak) this.activity.silence(nowMs)
    // What was not forwarded meanwhile is not to look like loss.
    for (const { splice } of this.routes) splice.restart()
  }

  /** @returns whether they begin to speak with this */
  receive(received: Buffer, nowMs: number): boolean {
    if (!this.#canSpeak) return false
    if (!this.#isOurs(received)) {
      this.#counts.dropped += 1
      return false
    }
    this.#forward(nowMs)
    return this.activity.hear(this.#packet.level, nowMs)
  }

  #isOurs(received: Buffer): boolean {
    const packet = this.#packet
    if (!packet.read(received, this.#line.levelExtension)) return false
    if (packet.payloadType !== this.#line.payloadType) return false
    this.#ssrc ??= packet.ssrc
    return packet.ssrc === this.#ssrc
  }

  /** The costly part of all: one packet is written and sent again for each listener, in place. */
  #forward(nowMs: number): void {
    const packet = this.#packet
    for (const { splice, peer } of this.routes) {
      if (splice.write(packet, nowMs) && peer.send(packet.bytes)) this.#counts.forwarded += 1
    }
  }
}
