/** Number of packets over which losses are averaged. */
const MAX_PACKETS = 1000
/** Losses that are assumed at first, because every network loses some. */
const ASSUMED = { packets: 50, lost: 1 }

/** Measures the share of packets that a link loses outside of probes. */
export class UsualLosses {
  #packets = ASSUMED.packets
  #lost = ASSUMED.lost

  get share(): number {
    return this.#lost / this.#packets
  }

  add(isLost: boolean): void {
    this.#packets += 1
    this.#lost += Number(isLost)
    if (this.#packets < MAX_PACKETS) return
    this.#packets /= 2
    this.#lost /= 2
  }
}
