import { randomInt } from 'node:crypto'
import type { MediaRights } from '../engine.ts'
import type { Offer } from './offer.ts'
import type { Peer } from './peer.ts'
import { type PacketCounts, Publisher } from './publisher.ts'
import { Splice } from './splice.ts'

/** One session in a room: its stream, and the slots in which it hears others. */
export class Member {
  readonly sessionId: string
  readonly userId: string
  rights: MediaRights
  peer: Peer | undefined
  /** Media flows in both directions. */
  isConnected = false
  publisher: Publisher | undefined
  splices: readonly Splice[] = []
  /** The members heard in each of the splices. */
  heard: readonly (Member | undefined)[] = []

  constructor(session: { sessionId: string; userId: string; rights: MediaRights }) {
    this.sessionId = session.sessionId
    this.userId = session.userId
    this.rights = session.rights
  }

  get isSpeaking(): boolean {
    return this.publisher?.activity.isSpeaking ?? false
  }

  get changedAt(): number {
    return this.publisher?.activity.changedAt ?? 0
  }

  /** Creates a slot for each line of the offer that has one, and a publisher for its microphone. */
  prepare(offer: Offer, counts: PacketCounts): void {
    const slots = offer.lines.filter(({ use }) => use === 'slot')
    const microphone = offer.lines.find(({ use }) => use === 'microphone')
    this.publisher = microphone && new Publisher(microphone, counts, this.rights.canSpeak)
    this.splices = slots.map(({ payloadType }, slot) => new Splice({ ...newStream(slot), payloadType }))
    this.heard = slots.map(() => undefined)
  }
}

/** Starts at random numbers, as RFC 3550 requires. Adding the slot keeps a client's streams distinct. */
function newStream(slot: number): { ssrc: number; sequence: number; timestamp: number } {
  return {
    ssrc: randomInt(1, 2 ** 27) * 32 + slot,
    sequence: randomInt(2 ** 15),
    timestamp: randomInt(2 ** 31),
  }
}
