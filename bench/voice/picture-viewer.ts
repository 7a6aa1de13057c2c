import { isRtcp } from '../../apps/server/src/voice/sfu/rtp-packet.ts'
import type { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import type { LoadCamera } from './picture-camera.ts'

const PICTURE_TYPE = 96

/** Counts the video packets that one client receives. */
export class LoadViewer {
  bytes = 0
  lost = 0
  packets = 0
  readonly #lastSequences = new Map<number, number>()
  #next: { height: number; resolve: (atMs: number) => void } | undefined

  /** @param camera the client's own camera, which handles received RTCP reports */
  constructor(client: RawVoiceClient, camera?: LoadCamera) {
    client.onPacket((packet) => {
      if (isRtcp(packet)) camera?.takeReport(packet)
      else if (((packet[1] ?? 0) & 127) === PICTURE_TYPE) this.#take(packet)
    })
  }

  /** Resolves with the time at which the next packet of a layer of this height arrives. */
  next(height: number): Promise<number> {
    return new Promise((resolve) => {
      this.#next = { height, resolve }
    })
  }

  #take(packet: Buffer): void {
    const [sequence, ssrc] = [packet.readUInt16BE(2), packet.readUInt32BE(8)]
    const last = this.#lastSequences.get(ssrc)
    this.#lastSequences.set(ssrc, sequence)
    this.packets += 1
    this.bytes += packet.length
    if (last !== undefined) this.lost += (sequence - last - 1) & 0xffff
    // Cameras fill their packets with bytes whose value is a tenth of the layer's height.
    if (this.#next === undefined || packet.at(-1) !== this.#next.height / 10) return
    this.#next.resolve(performance.now())
    this.#next = undefined
  }
}
