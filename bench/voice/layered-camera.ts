import { randomInt } from 'node:crypto'
import { readReceiverFeedback } from '../../apps/server/src/voice/sfu/bandwidth/receiver-feedback.ts'
import { readFeedback } from '../../apps/server/src/voice/sfu/video/rtcp.ts'
import type { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import { CAMERA_MID, EXTENSIONS, PAYLOAD_TYPE, RIDS } from './picture-rows.ts'

const FRAME_MS = 33
const HEADER_BYTES = 24
const DESCRIPTOR_BYTES = 6
const MAX_BYTES = 1100
/** Interval at which packets are sent: browsers spread the packets of a frame over time. */
const SEND_MS = 3
const PACKETS_AT_ONCE = 3
/** Size of a key frame, as a multiple of the size of other frames. */
const KEY_FRAME = 3
/** Layers. Each gets the bitrate that lower layers leave, and is not sent if that is below its minimum. */
const LAYERS = [
  { height: 180, minBps: 50_000, maxBps: 150_000 },
  { height: 360, minBps: 150_000, maxBps: 500_000 },
  { height: 720, minBps: 600_000, maxBps: 1_700_000 },
]
/** Units of the header extension abs-send-time per millisecond: 2¹⁸ per second. */
const UNITS_PER_MS = 2 ** 18 / 1000

interface Layer {
  readonly rid: string
  readonly height: number
  readonly minBps: number
  readonly maxBps: number
  readonly ssrc: number
  sequence: number
  pictureId: number
  isKeyWanted: boolean
}

/** A camera in three layers. Like browsers, it leaves out layers that exceed the bitrate of the server's reports (REMB). */
export class LayeredCamera {
  /** Bitrate that the last report permits; undefined before the first report. */
  permittedBps: number | undefined
  readonly #client: RawVoiceClient
  readonly #layers: readonly Layer[]
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #waiting: Buffer[] = []
  #timestamp = randomInt(2 ** 31)

  constructor(client: RawVoiceClient) {
    this.#client = client
    this.#layers = LAYERS.map((layer, at) => ({
      ...{ ...layer, rid: RIDS[at] ?? 'q', ssrc: randomInt(1, 2 ** 31), isKeyWanted: true },
      ...{ sequence: randomInt(2 ** 15), pictureId: randomInt(2 ** 14) },
    }))
    this.#timers = [setInterval(() => this.#show(), FRAME_MS), setInterval(() => this.#send(), SEND_MS)]
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Handles a report of the server. */
  receiveReport(packet: Buffer): void {
    this.permittedBps = readReceiverFeedback(packet).bandwidthBps ?? this.permittedBps
    readFeedback(packet, {
      onSenderReport: () => undefined,
      onMissing: () => undefined,
      onPictureLoss: (ssrc) => {
        for (const layer of this.#layers) if (layer.ssrc === ssrc) layer.isKeyWanted = true
      },
    })
  }

  #show(): void {
    this.#timestamp = (this.#timestamp + FRAME_MS * 90) >>> 0
    let left = this.permittedBps ?? Number.POSITIVE_INFINITY
    for (const layer of this.#layers) {
      const bps = Math.min(left, layer.maxBps)
      if (bps >= layer.minBps) this.#showLayer(layer, bps)
      // When the layer is sent again, it begins with a key frame.
      else layer.isKeyWanted = true
      left -= bps
    }
  }

  #showLayer(layer: Layer, bps: number): void {
    const isKeyFrame = layer.isKeyWanted
    layer.isKeyWanted = false
    layer.pictureId = (layer.pictureId + 1) & 0x7fff
    const bytes = ((bps * FRAME_MS) / 8000) * (isKeyFrame ? KEY_FRAME : 1)
    const count = Math.ceil(bytes / MAX_BYTES)
    for (let at = 0; at < count; at += 1) {
      const packet = this.#newPacket(layer, Math.max(20, Math.floor(bytes / count)))
      if (at === 0) beginFrame(packet, layer, isKeyFrame)
      packet[1] = at === count - 1 ? PAYLOAD_TYPE | 0x80 : PAYLOAD_TYPE
      this.#waiting.push(packet)
    }
  }

  #send(): void {
    for (const packet of this.#waiting.splice(0, PACKETS_AT_ONCE)) {
      packet.writeUIntBE(Math.round(performance.now() * UNITS_PER_MS) % 2 ** 24, 17, 3)
      this.#client.send(packet)
    }
  }

  #newPacket(layer: Layer, bytes: number): Buffer {
    const packet = Buffer.alloc(HEADER_BYTES + DESCRIPTOR_BYTES + bytes, 1)
    layer.sequence = (layer.sequence + 1) & 0xffff
    packet[0] = 0x90
    packet.writeUInt16BE(layer.sequence, 2)
    packet.writeUInt32BE(this.#timestamp, 4)
    packet.writeUInt32BE(layer.ssrc, 8)
    packet.writeUInt32BE(0xbe_de_00_02, 12)
    packet[16] = (EXTENSIONS.sentAt << 4) | 2
    packet[20] = EXTENSIONS.mid << 4
    packet.write(CAMERA_MID, 21, 'latin1')
    packet[22] = EXTENSIONS.rid << 4
    packet.write(layer.rid, 23, 'latin1')
    packet[24] = 0x80
    packet[25] = 0xe0
    packet.writeUInt16BE(0x8000 | layer.pictureId, 26)
    packet[28] = 0
    packet[29] = 0
    return packet
  }
}

/** Writes the beginning of a VP8 frame (RFC 6386, 9.1). The resolution has a meaning only in key frames. */
function beginFrame(packet: Buffer, { height }: Layer, isKeyFrame: boolean): void {
  const at = HEADER_BYTES + DESCRIPTOR_BYTES
  packet[HEADER_BYTES] = 0x90
  packet[at] = isKeyFrame ? 0x10 : 0x11
  packet.writeUIntLE(0x2a_01_9d, at + 3, 3)
  packet.writeUInt16LE(Math.round((height * 16) / 9), at + 6)
  packet.writeUInt16LE(height, at + 8)
}
