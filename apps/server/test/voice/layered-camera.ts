import { withAllCodecs } from './codec-packets.ts'
import { EXTENSIONS, layeredLine, type PictureClient, type PictureRoom, REPAIR_TYPE } from './picture-room.ts'
import type { Vp8Packet } from './vp8-packets.ts'

export const HEIGHTS = { q: 180, h: 360, f: 720 } as const
export type Rid = keyof typeof HEIGHTS
export const RIDS = ['q', 'h', 'f'] as const satisfies readonly Rid[]
const MID = 'cam'
const FRAME_MS = 33
const FRAME_TICKS = 3000

/** A camera that sends three layers, each with its own sequence numbers and timestamps, as browsers do. */
export class LayeredCamera {
  readonly client: PictureClient
  readonly ssrcs: Record<Rid, number> = { q: 101, h: 102, f: 103 }
  readonly #room: PictureRoom
  readonly #numbers = {
    q: { sequence: 65_500, timestamp: 4_294_960_000, pictureId: 32_760, baseIndex: 250 },
    h: { sequence: 7000, timestamp: 90_000, pictureId: 11, baseIndex: 3 },
    f: { sequence: 30_000, timestamp: 2_000_000_000, pictureId: 900, baseIndex: 77 },
  }

  constructor(room: PictureRoom, name = 'mira') {
    this.#room = room
    this.client = room.enter(name, [withAllCodecs(layeredLine(MID, RIDS))])
  }

  /** Sends a frame of one packet. */
  frame(rid: Rid, wanted: Partial<Vp8Packet> = {}): Vp8Packet {
    const numbers = this.#numbers[rid]
    numbers.sequence = (numbers.sequence + 1) & 0xffff
    numbers.timestamp = (numbers.timestamp + FRAME_TICKS) >>> 0
    numbers.pictureId = (numbers.pictureId + 1) & 0x7fff
    numbers.baseIndex = (numbers.baseIndex + 1) & 0xff
    const packet = {
      ...{ ...numbers, ssrc: this.ssrcs[rid], height: HEIGHTS[rid], isLast: true },
      extensions: { [EXTENSIONS.mid]: MID, [EXTENSIONS.rid]: rid },
      ...wanted,
    }
    this.#room.send(this.client, packet)
    return packet
  }

  /** Retransmits a packet in the RTX stream of the layer. */
  repair(rid: Rid, { sequence, ...lost }: Vp8Packet): void {
    this.#room.send(this.client, {
      ...lost,
      ...{ sequence: 1, repairs: sequence, ssrc: this.ssrcs[rid] + 10, payloadType: REPAIR_TYPE },
      extensions: { [EXTENSIONS.mid]: MID, [EXTENSIONS.repairedRid]: rid },
    })
  }

  /** Skips a packet, as if the network had lost it. */
  lose(rid: Rid): Vp8Packet {
    const numbers = this.#numbers[rid]
    numbers.sequence = (numbers.sequence + 1) & 0xffff
    return { ...numbers, ssrc: this.ssrcs[rid] }
  }

  /** Sends frames, and answers requests for key frames as a browser does. */
  run(frames: number, rids: readonly Rid[] = RIDS): void {
    for (let count = 0; count < frames; count += 1) {
      for (const rid of rids) this.frame(rid, { isKeyFrame: this.#isAsked(rid) })
      this.#room.pass(FRAME_MS)
    }
  }

  #isAsked(rid: Rid): boolean {
    const at = this.client.keyFrames.indexOf(this.ssrcs[rid])
    if (at !== -1) this.client.keyFrames.splice(at, 1)
    return at !== -1
  }
}
