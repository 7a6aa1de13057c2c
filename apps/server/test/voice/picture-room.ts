import { type MediaRights, NO_RIGHTS, type PictureChange, type WatchedSource } from '#src/voice/engine.ts'
import { Member } from '#src/voice/sfu/member.ts'
import { readOffer } from '#src/voice/sfu/offer.ts'
import type { MediaLine } from '#src/voice/sfu/offer-lines.ts'
import { Room } from '#src/voice/sfu/room.ts'
import type { SenderReport } from '#src/voice/sfu/video/reception.ts'
import { readFeedback } from '#src/voice/sfu/video/rtcp.ts'
import { readVp8Packet, type Vp8Packet, vp8Packet } from './vp8-packets.ts'

/** Ids of header extensions: the m-line, the layer, the layer of a retransmitted packet, and the time of sending. */
export const EXTENSIONS = { mid: 4, rid: 10, repairedRid: 11, sentAt: 2 }
export const REPAIR_TYPE = 97
const RIGHTS = { ...NO_RIGHTS, canSpeak: true, canHear: true, canUseVideo: true, canShareScreen: true }
const REPORTS = { first: 200, last: 206 }

/** A client without a network connection. It keeps the packets sent to it. */
export class PictureClient {
  readonly member: Member
  readonly pictures: Buffer[] = []
  /** SSRCs of the streams in which the client was asked to send a key frame. */
  readonly keyFrames: number[] = []
  /** SSRCs and sequence numbers of the packets that the client was asked to retransmit. */
  readonly missing: [ssrc: number, sequences: readonly number[]][] = []
  readonly reports: (SenderReport & { ssrc: number })[] = []

  constructor(name: string) {
    this.member = new Member({ sessionId: name, userId: name, rights: RIGHTS })
  }

  get streams() {
    return this.pictures.map(readVp8Packet)
  }

  take(packet: Buffer): true {
    const type = packet[1] ?? 0
    if (type < REPORTS.first || type > REPORTS.last) this.pictures.push(Buffer.from(packet))
    else
      readFeedback(packet, {
        onSenderReport: (ssrc, report) => this.reports.push({ ssrc, ...report }),
        onMissing: (...asked) => this.missing.push(asked),
        onPictureLoss: (ssrc) => this.keyFrames.push(ssrc),
      })
    return true
  }
}

/** A room of the media process with clients that have no network. Tests set its time. */
export class PictureRoom {
  nowMs = 1000
  readonly counts = { forwarded: 0, dropped: 0 }
  readonly told: { sessionId: string; slots: number[] }[] = []
  /** Layers that clients were notified of: client, position and count, like `jonas 1/3`. */
  readonly toldLayers: string[] = []
  /** Latest change that a client was notified of for each slot, by client and slot, like `jonas 0`. */
  readonly toldSlots = new Map<string, PictureChange>()
  /** Codecs that senders were notified of, like `mira VP8,AV1`. */
  readonly toldCodecs: string[] = []
  readonly #room = new Room({
    onSlots: () => undefined,
    onPictures: (sessionId, { slots }) => {
      this.told.push({ sessionId, slots: slots.map(({ slot }) => slot) })
      for (const change of slots) this.toldSlots.set(`${sessionId} ${change.slot}`, change)
      for (const { layer } of slots)
        if (layer) this.toldLayers.push(`${sessionId} ${layer.position}/${layer.count}`)
    },
    onCodecs: (sessionId, codecs) => this.toldCodecs.push(`${sessionId} ${codecs.join()}`),
    onSpeaking: () => undefined,
  })

  /** @param lines m-lines of the client's camera and screen @param slots m-lines in which the client receives video */
  enter(name: string, lines: readonly string[][] = [], slots?: readonly string[][]): PictureClient {
    const client = new PictureClient(name)
    const { member } = client
    this.#room.enter(member)
    member.prepare(readOffer(offerWith(lines, slots)), this.counts)
    member.peer = { send: (packet) => client.take(packet), close: () => undefined, ufrag: name }
    member.isConnected = true
    this.#room.begin(this.nowMs)
    return client
  }

  leave({ member }: PictureClient): void {
    this.#room.leave(member, this.nowMs)
  }

  setRights({ member }: PictureClient, rights: MediaRights): void {
    this.#room.setRights(member, rights, this.nowMs)
  }

  /** Sends all packets that are due at `nowMs`, by the clock of the process. */
  pace(nowMs: number): void {
    this.#room.pace(nowMs)
  }

  watch({ member }: PictureClient, ...watched: readonly WatchedSource[]): void {
    member.watch(watched)
    this.#room.changePictures(this.nowMs)
  }

  /** Lets the client send a packet. */
  send(client: PictureClient, wanted: Vp8Packet): void {
    this.sendBytes(client, vp8Packet(wanted))
  }

  sendBytes({ member }: PictureClient, received: Buffer): void {
    const receive = member.pictures?.receiverOf(received, this.nowMs)
    if (receive?.(received, this.nowMs)) this.#room.changePictures(this.nowMs)
  }

  /** Lets the client send a packet of its microphone. */
  sendSound({ member }: PictureClient, received: Buffer): void {
    if (member.publisher?.receive(received, this.nowMs)) this.#room.speaks(this.nowMs)
  }

  /** Lets the client send a report. */
  report({ member }: PictureClient, packet: Buffer): void {
    if (member.peer) member.pictures?.receiveReport(packet, member.peer, this.nowMs)
  }

  /** Lets time pass in steps of 50 ms, like the media process. */
  pass(ms: number): void {
    for (const end = this.nowMs + ms; this.nowMs < end; this.nowMs += 50) this.#room.tick(this.nowMs)
  }
}

const TRANSPORT = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuv',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
]

/** Returns an m-line that sends video in these layers. */
export function layeredLine(mid: string, layers: readonly string[]): string[] {
  return [
    ...videoRows(mid, 'sendonly'),
    `a=extmap:${EXTENSIONS.mid} urn:ietf:params:rtp-hdrext:sdes:mid`,
    `a=extmap:${EXTENSIONS.rid} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`,
    `a=extmap:${EXTENSIONS.repairedRid} urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id`,
    `a=extmap:${EXTENSIONS.sentAt} http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`,
    ...layers.map((rid) => `a=rid:${rid} send`),
    `a=simulcast:send ${layers.join(';')}`,
  ]
}

/** Returns m-lines that receive audio: of voices or, after the m-line of the client's own screen audio, of others' screens. */
export function soundRows(name: string, count: number): string[][] {
  return Array.from({ length: count }, (_, at) => [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    ...[`a=mid:${name}-${at}`, 'a=recvonly', 'a=rtpmap:111 opus/48000/2'],
  ])
}

export function videoRows(mid: string, direction: string): string[] {
  return [
    'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
    `a=mid:${mid}`,
    `a=${direction}`,
    ...['a=rtpmap:96 VP8/90000', `a=rtpmap:${REPAIR_TYPE} rtx/90000`, `a=fmtp:${REPAIR_TYPE} apt=96`],
    ...['a=rtcp-fb:96 nack', 'a=rtcp-fb:96 nack pli'],
    // Slots do not offer goog-remb: a viewer that does not report its bandwidth has no budget.
    ...(direction === 'sendonly' ? ['a=rtcp-fb:96 goog-remb'] : []),
  ]
}

/** The m-lines of eight video slots. */
export const SLOT_LINES = Array.from({ length: 8 }, (_, slot) => videoRows(`slot-${slot}`, 'recvonly'))

/** Returns an offer with a microphone, the given m-lines, and video slots. */
export function offerWith(lines: readonly string[][], slots: readonly string[][] = SLOT_LINES): string {
  const microphone = [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    ...['a=mid:0', 'a=sendonly', 'a=rtpmap:111 opus/48000/2', 'a=ssrc:9 cname:x'],
  ]
  const rows = [microphone, ...lines, ...slots].flatMap((line) => [...line, ...TRANSPORT])
  return `${['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', ...rows].join('\r\n')}\r\n`
}

/** Returns the m-lines of the offer with this use. */
export function linesOf(offer: string, use: MediaLine['use']): MediaLine[] {
  return readOffer(offer).lines.filter((line) => line.use === use)
}
