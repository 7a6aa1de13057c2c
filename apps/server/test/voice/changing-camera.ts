import { type SampledCodec, sampledPacket, withAllCodecs } from './codec-packets.ts'
import { type PictureClient, PictureRoom, SLOT_LINES, videoRows } from './picture-room.ts'
import { vp8Packet } from './vp8-packets.ts'

/** An m-line that sends one stream in any codec. */
export const CAMERA = withAllCodecs([...videoRows('cam', 'sendonly'), 'a=ssrc:77 cname:x'])
export const ALL_SLOTS = SLOT_LINES.map(withAllCodecs)
const FRAME_TICKS = 3000

/** A camera that changes its codec, and a viewer. */
export class ChangingCamera {
  readonly room = new PictureRoom()
  readonly mira: PictureClient
  readonly jonas: PictureClient
  #sequence = 65_530
  #timestamp = 4_294_960_000

  constructor(slots: readonly string[][] = ALL_SLOTS) {
    this.mira = this.room.enter('mira', [CAMERA], ALL_SLOTS)
    this.jonas = this.room.enter('jonas', [], slots)
    this.room.watch(this.jonas, { userId: 'mira', source: 'camera' })
    // The first packet only says that the camera sends.
    this.send('VP8', 'later')
  }

  /** Sends a packet. @param kind height of a key frame in pixels, or `later` for any other packet */
  send(codec: SampledCodec | 'VP8', kind: 360 | 'later', sequence = this.next()): number {
    const header = { sequence, timestamp: this.#timestamp }
    const isVp8 = codec === 'VP8'
    const vp8 = () =>
      vp8Packet({ ...header, isKeyFrame: kind === 360, ...(kind === 360 ? { height: 360 } : {}) })
    this.room.sendBytes(this.mira, isVp8 ? vp8() : sampledPacket(codec, kind, header))
    return sequence
  }

  /** Takes the next sequence number. Called alone, it skips a packet, as if the packet were lost. */
  next(): number {
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#timestamp = (this.#timestamp + FRAME_TICKS) >>> 0
    return this.#sequence
  }

  /** Returns the payload types and sequence numbers of the packets that the viewer has received since the last call. */
  arrived(): [type: number, sequence: number][] {
    const arrived = this.jonas.pictures.splice(0)
    return arrived.map((packet) => [(packet[1] ?? 0) & 127, packet.readUInt16BE(2)])
  }

  types(): number[] {
    return this.arrived().map(([type]) => type)
  }
}
