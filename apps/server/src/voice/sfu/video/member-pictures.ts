import { randomInt } from 'node:crypto'
import type { PictureCodec } from '@foyer/protocol/voice'
import type { MediaRights } from '../../engine.ts'
import { Uplink } from '../bandwidth/uplink.ts'
import { ViewerLink } from '../bandwidth/viewer-link.ts'
import type { MediaLine } from '../offer-lines.ts'
import type { Peer } from '../peer.ts'
import { type PacketCounts, Publisher } from '../publisher.ts'
import { ssrcOf } from '../rtp-packet.ts'
import { LayerSources, type NamedLayer } from './layer-sources.ts'
import type { PictureLayer } from './picture-layer.ts'
import type { SlotVoice } from './picture-pairs.ts'
import { PicturePublisher, type PictureSource } from './picture-publisher.ts'
import { type PictureChanges, PictureViewer } from './picture-viewer.ts'
import { ReportSender } from './report-sender.ts'
import { Resends } from './resends.ts'
import { readFeedback } from './rtcp.ts'
import type { SenderClock } from './sender-clock.ts'

export interface PictureMember {
  readonly userId: string
  readonly counts: PacketCounts
  readonly microphone: Publisher | undefined
  /** The clock of all streams of the client. */
  readonly clock: SenderClock
}

/** Maximum bit rate of each picture source that a client sends, in bits per second. */
const MAX_BPS: Readonly<Record<PictureSource, number>> = { camera: 2_500_000, screen: 4_000_000 }

/** Handles a packet. Returns whether a picture or another layer of it begins with the packet. */
export type PacketReceiver = (received: Buffer, nowMs: number) => boolean

/** The camera and screen of one client, and the pictures of other clients that it watches. */
export class MemberPictures {
  readonly viewer: PictureViewer
  /** The camera and the screen, if the offer has lines for them. */
  readonly published: readonly PicturePublisher[]
  /** The audio of the screen. */
  readonly sound: Publisher | undefined
  /** Codecs that the client can decode in all its slots. */
  readonly decoded: readonly PictureCodec[]
  /** Codecs in which the client can send all its pictures. It starts with the first codec. */
  readonly #encoded: readonly PictureCodec[]
  #sharedCodecs: string
  /** Receivers of the client's packets, by SSRC. */
  readonly #receivers = new Map<number, PacketReceiver>()
  /** Handlers of the client's sender reports, by the SSRC of the stream. */
  readonly #reported = new Map<number, Pick<Publisher | PictureLayer, 'receiveReport'>>()
  readonly #sources: LayerSources
  readonly #counts: PacketCounts
  readonly #reports: ReportSender
  readonly #resends: Resends
  readonly #uplink: Uplink
  readonly #link: ViewerLink
  #peer: Pick<Peer, 'send'> | undefined

  constructor(lines: readonly MediaLine[], member: PictureMember) {
    const linesOf = (wanted: MediaLine['use']) => lines.filter(({ use }) => use === wanted)
    this.viewer = new PictureViewer({ pictures: linesOf('pictureSlot'), sounds: linesOf('soundSlot') })
    this.decoded = codecsOfAll(linesOf('pictureSlot'))
    this.#encoded = codecsOfAll([...linesOf('camera'), ...linesOf('screen')])
    this.#sharedCodecs = this.#encoded.slice(0, 1).join()
    this.#counts = member.counts
    this.#link = this.#newLink(linesOf('pictureSlot')[0])
    this.viewer.budgetBps = this.#link.budgetBps(0, performance.now())
    this.#uplink = uplinkOf(lines)
    this.published = (['camera', 'screen'] as const).flatMap((source) =>
      linesOf(source).map((line) => this.#publish(line, member, source)),
    )
    const [soundLine] = linesOf('screenSound')
    this.sound = soundLine && this.#publishSound(soundLine, member)
    this.#reportTo(linesOf('microphone')[0]?.ssrc, member.microphone)
    this.#sources = new LayerSources(this.published)
    const sounds = [member.microphone, this.sound].filter((sound) => sound !== undefined)
    const published = { pictures: this.published, sounds }
    this.#reports = new ReportSender(randomInt(1, 2 ** 31), published, this.#uplink)
    this.#resends = new Resends(this.viewer, member.counts)
  }

  setRights({ canUseVideo, canShareScreen, canShareSound }: MediaRights, nowMs: number): void {
    for (const picture of this.published)
      picture.setAllowed(picture.source === 'camera' ? canUseVideo : canShareScreen)
    this.sound?.setCanSpeak(canShareSound, nowMs)
  }

  /** Returns the codecs in which the client may send, if these have changed since the last call. */
  takeNewCodecs(shared: readonly PictureCodec[]): readonly PictureCodec[] | undefined {
    const codecs = this.#encoded.filter((codec) => shared.includes(codec))
    const key = codecs.join()
    if (key === this.#sharedCodecs) return undefined
    this.#sharedCodecs = key
    return codecs
  }

  /** Returns the receiver of the packet; undefined if it belongs to no picture and no screen audio. */
  receiverOf(received: Buffer, nowMs: number): PacketReceiver | undefined {
    const ssrc = ssrcOf(received)
    const known = this.#receivers.get(ssrc)
    if (known !== undefined || !this.#sources.areOf(received)) return known
    const named = this.#sources.layerOf(received)
    return (named && this.#learn(named, ssrc, nowMs)) ?? this.#drop
  }

  /**
   * Assigns the slots to the live pictures that the client watches. Waiting packets of changed slots are dropped:
   * nobody may see more of a picture after its end.
   * @param voices the users in the voice slots
   */
  assign(
    live: ReadonlyMap<string, PicturePublisher>,
    voices: readonly (SlotVoice | undefined)[],
  ): PictureChanges {
    const changes = this.viewer.assign(live, voices)
    const streams = changes.slots.flatMap(({ slot }) => this.viewer.slots[slot]?.splice.stream ?? [])
    if (streams.length > 0)
      this.#link.drop(streams.flatMap(({ ssrc, repair }) => [ssrc, repair?.ssrc ?? ssrc]))
    return changes
  }

  /** Returns the link that sends the client the pictures it watches, within its bandwidth budget. */
  linkTo(peer: Pick<Peer, 'send'>): ViewerLink {
    this.#peer = peer
    return this.#link
  }

  /** Handles RTCP: requests for lost packets and key frames, bandwidth feedback, and sender reports. */
  receiveReport(received: Buffer, peer: Pick<Peer, 'send'>, nowMs: number): void {
    const link = this.linkTo(peer)
    link.receiveReport(received, nowMs)
    this.#reports.answer(received, peer, nowMs)
    readFeedback(received, {
      onSenderReport: (ssrc, report) => this.#reported.get(ssrc)?.receiveReport(report, nowMs),
      onMissing: (ssrc, sequences) => this.#resends.resend(ssrc, sequences, { peer: link, nowMs }),
      onPictureLoss: (ssrc) => this.viewer.slotOf(ssrc)?.wantKeyFrame(),
    })
  }

  /** @param speakers number of speakers whose voices the client may be sent now */
  tick(peer: Pick<Peer, 'send'>, speakers: number, nowMs: number): void {
    this.#reports.tick(peer, nowMs)
    this.#reports.request(peer, nowMs)
    const link = this.linkTo(peer)
    const sounds = speakers + this.viewer.heard.filter((screen) => screen !== undefined).length
    this.viewer.budgetBps = link.budgetBps(sounds, nowMs)
    link.probe(this.viewer.budgetBps, this.viewer.nextStep, nowMs)
  }

  /** Sends RTCP sender reports on the client's streams to their receivers. */
  report(nowMs: number): void {
    this.sound?.report(nowMs)
    for (const { layers } of this.published) for (const layer of layers) layer.report(nowMs)
  }

  /**
   * Sends the client the due packets of the pictures that it watches, and requests for missing packets of its own
   * pictures.
   */
  pace(nowMs: number): void {
    if (this.#peer) this.#reports.request(this.#peer, nowMs)
    this.#link.pace(nowMs)
  }

  /** @param line any of the m-lines in which the client receives pictures, because all are alike */
  #newLink(line: MediaLine | undefined): ViewerLink {
    const viewerLine = {
      sequence: line?.feedback.includes('transport-cc') === true ? line.extensions.sequence : undefined,
      sentAt: line?.extensions.sentAt,
      reportsBandwidth: line?.feedback.includes('goog-remb') === true,
      repair: this.viewer.slots[0]?.splice.stream.repair,
      isOurs: (ssrc: number) => this.viewer.slotOf(ssrc) !== undefined,
    }
    return new ViewerLink(viewerLine, (packet) => this.#peer?.send(packet) === true)
  }

  #publish(
    line: MediaLine,
    { userId, counts, clock }: PictureMember,
    source: PictureSource,
  ): PicturePublisher {
    const picture = new PicturePublisher(line, { userId, source, counts, clock })
    for (const layer of picture.layers) {
      this.#receiveAs(layer, picture)
      if (line.repairSsrc !== undefined) this.#repairAs(layer, picture, line.repairSsrc)
    }
    return picture
  }

  /** Registers the SSRC of a layer, or that of its RTX stream. The previous SSRC is forgotten. */
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
    const measured: PacketReceiver = (received, nowMs) => {
      this.#uplink.receive(received, nowMs)
      return receiver(received, nowMs)
    }
    this.#receivers.set(ssrc, measured)
    return measured
  }

  #forget(ssrc: number): void {
    this.#receivers.delete(ssrc)
    this.#reported.delete(ssrc)
  }

  /** Drops a video packet whose layer is unknown. */
  readonly #drop = (): false => {
    this.#counts.dropped += 1
    return false
  }

  #reportTo(ssrc: number | undefined, sound: Publisher | undefined): void {
    if (ssrc !== undefined && sound) this.#reported.set(ssrc, sound)
  }

  #publishSound(line: MediaLine, { counts, clock }: PictureMember): Publisher {
    const sound = new Publisher(line, counts, { canSpeak: false, clock })
    this.#reportTo(line.ssrc, sound)
    if (line.ssrc !== undefined)
      this.#receivers.set(line.ssrc, (received, nowMs) => hear(sound, received, nowMs))
    return sound
  }
}

/** Creates the estimate of the uplink. Its maximum includes pictures that have not begun yet. */
function uplinkOf(lines: readonly MediaLine[]): Uplink {
  const sending = lines.flatMap(({ use, extensions }) =>
    use === 'camera' || use === 'screen' ? [{ maxBps: MAX_BPS[use], sentAt: extensions.sentAt }] : [],
  )
  const sentAt = sending.find((line) => line.sentAt !== undefined)?.sentAt
  return new Uplink(
    sentAt,
    sending.reduce((sum, { maxBps }) => sum + maxBps, 0),
  )
}

/** Returns the codecs that all lines have; none if there are no lines. */
function codecsOfAll([first, ...others]: readonly MediaLine[]): PictureCodec[] {
  const names = first?.codecs.map(({ name }) => name) ?? []
  return names.filter((name) => others.every(({ codecs }) => codecs.some((codec) => codec.name === name)))
}

/** Receives a packet of a screen's audio, which does not make its user a speaker. */
function hear(sound: Publisher, received: Buffer, nowMs: number): false {
  sound.receive(received, nowMs)
  return false
}
