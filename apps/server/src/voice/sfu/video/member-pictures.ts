import { randomInt } from 'node:crypto'
import type { MediaRights } from '../../engine.ts'
import type { MediaLine } from '../offer-lines.ts'
import type { Peer } from '../peer.ts'
import { type PacketCounts, Publisher } from '../publisher.ts'
import { PicturePublisher, type PictureSource } from './picture-publisher.ts'
import { PictureViewer } from './picture-viewer.ts'
import { ReportSender } from './report-sender.ts'
import { Resends } from './resends.ts'
import { readFeedback } from './rtcp.ts'

export interface PictureMember {
  readonly userId: string
  readonly counts: PacketCounts
  readonly microphone: Publisher | undefined
}

/** Returns whether a picture begins with the packet. */
export type PacketReceiver = (received: Buffer, nowMs: number) => boolean

/** The camera and screen of one client, and those of others that it watches. */
export class MemberPictures {
  readonly viewer: PictureViewer
  /** The camera and the screen, if the offer has lines for them. */
  readonly published: readonly PicturePublisher[]
  /** The sound of the screen. */
  readonly sound: Publisher | undefined
  /** By the sources of their packets. */
  readonly #receivers = new Map<number, PacketReceiver>()
  /** Receivers of the reports about its own streams, by their sources. */
  readonly #reported = new Map<number, Pick<Publisher | PicturePublisher, 'receiveReport'>>()
  readonly #reports: ReportSender
  readonly #resends: Resends

  constructor(lines: readonly MediaLine[], member: PictureMember) {
    const linesOf = (wanted: MediaLine['use']) => lines.filter(({ use }) => use === wanted)
    this.viewer = new PictureViewer({ pictures: linesOf('pictureSlot'), sounds: linesOf('soundSlot') })
    this.published = (['camera', 'screen'] as const).flatMap((source) =>
      linesOf(source).flatMap((line) => this.#publish(line, member, source)),
    )
    const [soundLine] = linesOf('screenSound')
    this.sound = soundLine && this.#publishSound(soundLine, member.counts)
    this.#reportTo(linesOf('microphone')[0]?.ssrc, member.microphone)
    this.#reports = new ReportSender(randomInt(1, 2 ** 31), this.published)
    this.#resends = new Resends(this.viewer, member.counts)
  }

  setRights({ canUseVideo, canShareScreen, canShareSound }: MediaRights, nowMs: number): void {
    for (const picture of this.published)
      picture.setAllowed(picture.source === 'camera' ? canUseVideo : canShareScreen)
    this.sound?.setCanSpeak(canShareSound, nowMs)
  }

  /** Returns the receiver of packets of this source; undefined if they belong to no picture and no screen's sound. */
  receiverOf(ssrc: number): PacketReceiver | undefined {
    return this.#receivers.get(ssrc)
  }

  /** Handles a report: what the client misses of what it watches, and its own time. */
  receiveReport(received: Buffer, peer: Peer, nowMs: number): void {
    readFeedback(received, {
      onSenderReport: (ssrc, report) => this.#reported.get(ssrc)?.receiveReport(report, nowMs),
      onMissing: (ssrc, sequences) => this.#resends.resend(ssrc, sequences, { peer, nowMs }),
      onPictureLoss: (ssrc) => this.#shownAs(ssrc)?.keyFrames.want(),
    })
  }

  tick(peer: Peer, nowMs: number): void {
    this.#reports.tick(peer, nowMs)
  }

  #shownAs(ssrc: number): PicturePublisher | undefined {
    return this.viewer.shown[this.viewer.splices.findIndex(({ stream }) => stream.ssrc === ssrc)]
  }

  #publish(line: MediaLine, { userId, counts }: PictureMember, source: PictureSource): PicturePublisher[] {
    const { ssrc, repair } = line
    if (ssrc === undefined) return []
    const picture = new PicturePublisher({ ...line, ssrc }, { userId, source, counts })
    this.#reported.set(ssrc, picture)
    this.#receivers.set(ssrc, (received, nowMs) => picture.receive(received, false, nowMs))
    if (repair?.ssrc !== undefined)
      this.#receivers.set(repair.ssrc, (received, nowMs) => picture.receive(received, true, nowMs))
    return [picture]
  }

  #reportTo(ssrc: number | undefined, sound: Publisher | undefined): void {
    if (ssrc !== undefined && sound) this.#reported.set(ssrc, sound)
  }

  #publishSound(line: MediaLine, counts: PacketCounts): Publisher {
    const sound = new Publisher(line, counts, false)
    this.#reportTo(line.ssrc, sound)
    if (line.ssrc !== undefined)
      this.#receivers.set(line.ssrc, (received, nowMs) => hear(sound, received, nowMs))
    return sound
  }
}

/** The sound of a screen makes nobody a speaker. */
function hear(sound: Publisher, received: Buffer, nowMs: number): false {
  sound.receive(received, nowMs)
  return false
}
