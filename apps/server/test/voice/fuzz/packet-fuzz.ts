import { Random } from '../../fuzz/random.ts'
import { below, mutate } from './mutations.ts'
import { offerTarget } from './offer-target.ts'
import { reportTarget } from './report-target.ts'
import { linkTarget, roomTarget } from './room-targets.ts'
import { type FuzzTarget, pictureTarget, soundTarget, stunTarget, tcpTarget } from './targets.ts'

const MAX_SHOWN_BYTES = 400
/** Packets per offer. An offer takes as long to handle as a hundred packets, and a session sends only one offer. */
const PACKETS_AN_OFFER = 100

/** Sends mutated packets to every parser of the media process. The seed determines all of them. */
export class PacketFuzz {
  readonly #seed: number
  readonly #random: Random
  readonly #packets: readonly FuzzTarget[] = [
    soundTarget(),
    pictureTarget(),
    reportTarget(),
    linkTarget(),
    roomTarget(),
    stunTarget(),
    tcpTarget(),
  ]
  readonly #offers = offerTarget()
  #count = 0

  constructor(seed: number) {
    this.#seed = seed
    this.#random = new Random(seed)
  }

  /** @throws Error that names the seed and the packet, if a parser throws or breaks one of its bounds */
  run(packets: number): void {
    for (const end = this.#count + packets; this.#count < end; this.#count += 1) this.#send()
  }

  #send(): void {
    const target =
      this.#count % PACKETS_AN_OFFER === 0
        ? this.#offers
        : this.#packets[below(this.#random, this.#packets.length)]
    if (target === undefined) return
    const bytes = mutate(this.#random.pick(target.seeds), target.seeds, this.#random)
    // Copied first, because a parser may write into the packet.
    const shown = bytes.subarray(0, MAX_SHOWN_BYTES).toString('hex')
    try {
      target.take(bytes, this.#random)
    } catch (cause) {
      const where = `seed ${this.#seed}, packet ${this.#count}, for ${target.name}`
      throw new Error(`${where}: ${cause}\n${shown}`, { cause })
    }
  }
}
