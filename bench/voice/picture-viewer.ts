import { isRtcp } from '../../apps/server/src/voice/sfu/rtp-packet.ts'
import type { RawVoiceClient } from '../../apps/server/test/voice/raw-voice-client.ts'
import type { LoadCamera } from './picture-camera.ts'

const PICTURE_TYPE = 96

/** Counts what one client receives, by the sizes of the pictures. */
export class LoadViewer {
  bytes = 0
  lost = 0
  packets = 0
  readonly #lastSequences = new Map<number, number>()
  #next: { height: number; resolve: (atMs: number) => void } | undefined

  /** @param camera receives the RTCP reports */
  constructor(client: RawVoiceClient, camera?: LoadCamera) {
    client.onPacket((packet) => {
      if (isRtcp(packet)) camera?.takeReport(packet)
      else if (((packet[1] ?? 0) & 127) === PICTURE_TYPE) this.#take(packet)
    })
  }

  /** Resolves with the time at which the next packet of a picture of this height arrives. */
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
    // The camera fills its packets with a tenth of their height.
    if (this.#next === undefined || packet.at(-1) !== this.#next.height / 10) return
    this.#next.resolve(performance.now())
    this.#next = undefined
  }
}
