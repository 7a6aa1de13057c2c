import type { Peer } from '../peer.ts'
import type { PacketCounts } from '../publisher.ts'
import type { PictureViewer } from './picture-viewer.ts'

/** Maximum resent packets per second, against floods of requests. A client with a usable connection loses fewer. */
const PACKETS_PER_SECOND = 400

/** Resends packets that a viewer has lost. */
export class Resends {
  readonly #viewer: PictureViewer
  readonly #counts: PacketCounts
  #left = PACKETS_PER_SECOND
  #filledAt = 0

  constructor(viewer: PictureViewer, counts: PacketCounts) {
    this.#viewer = viewer
    this.#counts = counts
  }

  /** @param ssrc the SSRC of the viewer's slot */
  resend(
    ssrc: number,
    sequences: readonly number[],
    { peer, nowMs }: { peer: Pick<Peer, 'send'>; nowMs: number },
  ): void {
    const { splice, current } = this.#viewer.slotOf(ssrc) ?? {}
    if (splice === undefined || current === undefined) return
    this.#fill(nowMs)
    for (const sequence of sequences) {
      if (this.#left < 1) return
      const original = splice.originalOf(sequence)
      const packet = original === undefined ? undefined : current.find(original, nowMs)
      if (packet === undefined) continue
      this.#left -= 1
      if (peer.send(splice.repairOf(packet))) this.#counts.forwarded += 1
    }
  }

  #fill(nowMs: number): void {
    const seconds = (nowMs - this.#filledAt) / 1000
    this.#left = Math.min(PACKETS_PER_SECOND, this.#left + seconds * PACKETS_PER_SECOND)
    this.#filledAt = nowMs
  }
}
