import { isRtcp } from '#src/voice/sfu/rtp-packet.ts'
import { readFeedback } from '#src/voice/sfu/video/rtcp.ts'
import { REPAIR_TYPE } from './picture-room.ts'
import { type RawVideo, RawVoiceClient } from './raw-voice-client.ts'
import type { SfuProcess } from './sfu-process.ts'
import { type Vp8Packet, vp8Packet } from './vp8-packets.ts'

const RIGHTS = { canUseVideo: true, canHear: true }
const PICTURE_TYPE = 96
const FRAME_MS = 33
const FRAME_TICKS = 3000
const FRAME_BYTES = 900
/** Number of latest sequence numbers that are kept: about two seconds of video. */
const KEPT = 64

/**
 * A client with a real connection, in a room of a media process. It can send a camera of 30 frames a second, and counts the
 * packets that it receives. The session and its user have the same name.
 */
export class LivePerson {
  readonly name: string
  readonly client: RawVoiceClient
  /** Number of video packets received, without retransmissions. */
  received = 0
  /** Number of packets received in RTX streams: retransmissions and padding. */
  repairs = 0
  /** Number of gaps and repetitions in the sequence numbers of video packets. */
  gaps = 0
  /** SSRC of the last video packet. */
  slotSsrc = 0
  /** Sequence numbers of the last video packets. */
  readonly lastNumbers: number[] = []
  /** Number of requests for key frames. */
  keyFramesAsked = 0
  #isAsked = true
  #frame = 0
  readonly #sfu: SfuProcess

  static async enter(
    sfu: SfuProcess,
    [name, roomId]: readonly [name: string, roomId: string],
    video: Omit<RawVideo, 'hasVideo'> = {},
  ): Promise<LivePerson> {
    const client = await RawVoiceClient.enter(sfu, [name, roomId], RIGHTS, { hasVideo: true, ...video })
    return new LivePerson(sfu, name, client)
  }

  private constructor(sfu: SfuProcess, name: string, client: RawVoiceClient) {
    this.#sfu = sfu
    this.name = name
    this.client = client
    client.onPacket((packet) => this.#take(packet))
  }

  async watch(...names: readonly string[]): Promise<void> {
    const watched = names.map((userId) => ({ userId, source: 'camera' as const }))
    await this.#sfu.ask('watch', { sessionId: this.name, watched })
  }

  /** Sends frames until the returned timer is disposed. @param change returns the fields to change in a frame */
  film(change: (frame: number) => Partial<Vp8Packet> = () => ({})): NodeJS.Timeout {
    return setInterval(() => this.sendFrame(change(this.#frame)), FRAME_MS)
  }

  /** Sends a frame of one packet: a key frame if the server has requested one. */
  sendFrame(change: Partial<Vp8Packet> = {}): void {
    this.#frame += 1
    const isKeyFrame = this.#isAsked
    this.#isAsked = false
    const numbers = { sequence: this.#frame & 0xffff, timestamp: (this.#frame * FRAME_TICKS) >>> 0 }
    const frame = { ...numbers, pictureId: this.#frame & 0x7fff, ssrc: this.client.cameraSsrc }
    this.send(vp8Packet({ ...frame, isKeyFrame, isLast: true, size: FRAME_BYTES, height: 360, ...change }))
  }

  /** Sends a packet or a report. Does nothing if the connection has been closed. */
  send(packet: Buffer): void {
    try {
      this.client.send(packet)
    } catch {
      // The media process has closed the connection.
    }
  }

  [Symbol.dispose](): void {
    this.client.close()
  }

  #take(packet: Buffer): void {
    if (isRtcp(packet)) return this.#takeReport(packet)
    const type = (packet[1] ?? 0) & 127
    if (type === REPAIR_TYPE) this.repairs += 1
    if (type === PICTURE_TYPE) this.#takePicture(packet.readUInt32BE(8), packet.readUInt16BE(2))
  }

  #takeReport(packet: Buffer): void {
    readFeedback(packet, {
      onSenderReport: () => undefined,
      onMissing: () => undefined,
      onPictureLoss: () => {
        this.keyFramesAsked += 1
        this.#isAsked = true
      },
    })
  }

  #takePicture(ssrc: number, sequence: number): void {
    const last = ssrc === this.slotSsrc ? this.lastNumbers.at(-1) : undefined
    if (last !== undefined && sequence !== ((last + 1) & 0xffff)) this.gaps += 1
    this.received += 1
    this.slotSsrc = ssrc
    this.lastNumbers.push(sequence)
    if (this.lastNumbers.length > KEPT) this.lastNumbers.shift()
  }
}
