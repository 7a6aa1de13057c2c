import { readFeedback } from '../../apps/server/src/voice/sfu/video/rtcp.ts'
import { EXTENSIONS } from '../../apps/server/test/voice/picture-room.ts'
import { CAMERA_MID, type RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import { vp8Packet } from '../../apps/server/test/voice/vp8-packets.ts'

const FRAME_MS = 33
const FRAME_TICKS = 3000

/** A layer of a camera: its height, and the number and size of the packets per frame, at thirty frames a second. */
export interface LoadLayer {
  readonly rid: string
  readonly height: number
  readonly packets: number
  readonly bytes: number
}

/** Layers of 150, 500 and 1,700 kbit/s. */
export const LAYERS: readonly LoadLayer[] = [
  { rid: 'q', height: 180, packets: 1, bytes: 625 },
  { rid: 'h', height: 360, packets: 2, bytes: 1040 },
  { rid: 'f', height: 720, packets: 6, bytes: 1180 },
]

/** The camera of one client. Sends frames as a browser does, and key frames when the server requests them. */
export class LoadCamera {
  readonly #client: RawVoiceClient
  readonly #layers: readonly LoadLayer[]
  readonly #sequences: number[]
  /** SSRCs of the streams whose next frame must be a key frame. */
  readonly #asked = new Set<number>()
  /** Number of packets sent. */
  sent = 0
  #frame = 0

  /** @param layers if there is only one, it is sent as a single stream */
  constructor(client: RawVoiceClient, layers: readonly LoadLayer[]) {
    this.#client = client
    this.#layers = layers
    this.#sequences = layers.map(() => 0)
    for (const at of layers.keys()) this.#asked.add(this.#ssrcOf(at))
  }

  takeReport(packet: Buffer): void {
    readFeedback(packet, {
      onSenderReport: () => undefined,
      onMissing: () => undefined,
      onPictureLoss: (ssrc) => this.#asked.add(ssrc),
    })
  }

  send(): void {
    this.#frame += 1
    for (const [at, layer] of this.#layers.entries()) this.#sendFrame(at, layer)
  }

  #sendFrame(at: number, { rid, height, packets, bytes }: LoadLayer): void {
    const ssrc = this.#ssrcOf(at)
    const isKeyFrame = this.#asked.delete(ssrc)
    const names = { [EXTENSIONS.mid]: CAMERA_MID, [EXTENSIONS.rid]: rid }
    for (let part = 0; part < packets; part += 1) {
      const sequence = ((this.#sequences[at] ?? 0) + 1) & 0xffff
      this.#sequences[at] = sequence
      this.sent += 1
      this.#client.send(
        vp8Packet({
          ...{ sequence, ssrc, height, size: bytes, body: height / 10, isLast: part === packets - 1 },
          ...{ timestamp: (this.#frame * FRAME_TICKS) >>> 0, pictureId: this.#frame & 0x7fff },
          ...{ baseIndex: this.#frame & 0xff, isKeyFrame, isFirst: part === 0 },
          extensions: this.#layers.length > 1 ? names : {},
        }),
      )
    }
  }

  #ssrcOf(layer: number): number {
    return this.#client.cameraSsrc + 2 * layer
  }
}

/** Lets all cameras send, spread over the duration of a frame. Returns a function that stops them. */
export function sendAll(cameras: readonly LoadCamera[]): () => void {
  const started = performance.now()
  const due = cameras.map((_, at) => started + (at * FRAME_MS) / cameras.length)
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [at, camera] of cameras.entries()) {
      while ((due[at] ?? now) < now) {
        camera.send()
        due[at] = (due[at] ?? now) + FRAME_MS
      }
    }
  }, 1)
  return () => clearInterval(timer)
}
