import { randomInt } from 'node:crypto'
import type { MediaRights } from '../../engine.ts'
import type { MediaLine } from '../offer-lines.ts'
import type { Peer } from '../peer.ts'
import { type PacketCounts, Publisher } from '../publisher.ts'
import { ssrcOf } from '../rtp-packet.ts'
import { LayerSources, type NamedLayer } from './layer-sources.ts'
import type { PictureLayer } from './picture-layer.ts'
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

/** Returns whether a picture begins with the packet, or has one more layer. */
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
  readonly #reported = new Map<number, Pick<Publisher | PictureLayer, 'receiveReport'>>()
  readonly #sources: LayerSources
  readonly #counts: PacketCounts
  readonly #reports: ReportSender
  readonly #resends: Resends

  constructor(lines: readonly MediaLine[], member: PictureMember) {
    const linesOf = (wanted: MediaLine['use']) => lines.filter(({ use }) => use === wanted)
    this.viewer = new PictureViewer({ pictures: linesOf('pictureSlot'), sounds: linesOf('soundSlot') })
    this.#counts = member.counts
    this.published = (['camera', 'screen'] as const).flatMap((source) =>
      linesOf(source).map((line) => this.#publish(line, member, source)),
    )
    const [soundLine] = linesOf('screenSound')
    this.sound = soundLine && this.#publishSound(soundLine, member.counts)
    this.#reportTo(linesOf('microphone')[0]?.ssrc, member.microphone)
    this.#sources = new LayerSources(this.published)
    this.#reports = new ReportSender(randomInt(1, 2 ** 31), this.published)
    this.#resends = new Resends(this.viewer, member.counts)
  }

  setRights({ canUseVideo, canShareScreen, canShareSound }: MediaRights, nowMs: number): void {
    for (const picture of this.published)
      picture.setAllowed(picture.source === 'camera' ? canUseVideo : canShareScreen)
    this.sound?.setCanSpeak(canShareSound, nowMs)
  }

  /** Returns the receiver of the packet; undefined if it belongs to no picture and no screen's sound. */
  receiverOf(received: Buffer, nowMs: number): PacketReceiver | undefined {
    const ssrc = ssrcOf(received)
    const known = this.#receivers.get(ssrc)
    if (known !== undefined || !this.#sources.areOf(received)) return known
    const named = this.#sources.layerOf(received)
    return (named && this.#learn(named, ssrc, nowMs)) ?? this.#drop
  }

  /** Handles a report: what the client misses of what it watches, and its own time. */
  receiveReport(received: Buffer, peer: Pick<Peer, 'send'>, nowMs: number): void {
    readFeedback(received, {
      onSenderReport: (ssrc, report) => this.#reported.get(ssrc)?.receiveReport(report, nowMs),
      onMissing: (ssrc, sequences) => this.#resends.resend(ssrc, sequences, { peer, nowMs }),
      onPictureLoss: (ssrc) => this.viewer.slotOf(ssrc)?.wanted?.keyFrames.want(),
    })
  }

  tick(peer: Pick<Peer, 'send'>, nowMs: number): void {
    this.#reports.tick(peer, nowMs)
  }

  #publish(line: MediaLine, { userId, counts }: PictureMember, source: PictureSource): PicturePublisher {
    const picture = new PicturePublisher(line, { userId, source, counts })
    for (const layer of picture.layers) {
      this.#receiveAs(layer, picture)
      if (line.repair?.ssrc !== undefined) this.#repairAs(layer, picture, line.repair.ssrc)
    }
    return picture
  }

  /** A layer has one source, and one for its repairs: what it had before is forgotten. */
  #learn({ picture, rid, isRepair }: NamedLayer, ssrc: number, nowMs: number): PacketReceiver | undefined {
    const before = picture.layerOf(rid)
    if (isRepair && before) return this.#repairAs(before, picture, ssrc)
    const layer = isRepair ? undefined : picture.openLayer(rid, ssrc, nowMs)
    if (layer === undefined) return undefined
    for (const old of [before?.ssrc, before?.repairSsrc]) if (old !== undefined) this.#forget(old)
    return this.#receiveAs(layer, picture)
  }

  #receiveAs(layer: PictureLayer, picture: PicturePublisher): PacketReceiver {
    this.#reported.set(layer.ssrc, layer)
    return this.#addReceiver(layer.ssrc, (received, nowMs) =>
      picture.receive(received, { layer, isRepair: false, nowMs }),
    )
  }

  #repairAs(layer: PictureLayer, picture: PicturePublisher, ssrc: number): PacketReceiver {
    if (layer.repairSsrc !== undefined) this.#forget(layer.repairSsrc)
    layer.repairSsrc = ssrc
    return this.#addReceiver(ssrc, (received, nowMs) =>
      picture.receive(received, { layer, isRepair: true, nowMs }),
    )
  }

  #addReceiver(ssrc: number, receiver: PacketReceiver): PacketReceiver {
    this.#receivers.set(ssrc, receiver)
    return receiver
  }

  #forget(ssrc: number): void {
    this.#receivers.delete(ssrc)
    this.#reported.delete(ssrc)
  }

  /** A packet of a picture that names none of its layers. */
  readonly #drop = (): false => {
    this.#counts.dropped += 1
    return false
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
