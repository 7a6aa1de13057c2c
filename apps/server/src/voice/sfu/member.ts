import { randomInt } from 'node:crypto'
import type { MediaRights, WatchedSource } from '../engine.ts'
import type { SlotStream } from './answer.ts'
import type { Offer } from './offer.ts'
import type { LineUse, MediaLine } from './offer-lines.ts'
import type { Peer } from './peer.ts'
import { type PacketCounts, Publisher } from './publisher.ts'
import { Splice } from './splice.ts'
import { MemberPictures } from './video/member-pictures.ts'
import { pairOfSound } from './video/picture-pairs.ts'
import { withoutRepeats } from './video/picture-viewer.ts'
import { SenderClock } from './video/sender-clock.ts'

/** One session in a room: the streams that it sends, and the slots in which it receives other members. */
export class Member {
  readonly sessionId: string
  readonly userId: string
  rights: MediaRights
  peer: Pick<Peer, 'send' | 'close' | 'ufrag'> | undefined
  /** Media flows in both directions. */
  isConnected = false
  publisher: Publisher | undefined
  splices: readonly Splice[] = []
  /** The member heard in each splice, by slot. */
  heard: readonly (Member | undefined)[] = []
  /** Undefined for a client without m-lines for video. */
  pictures: MemberPictures | undefined
  /** True if the member has watched a picture in this room. */
  hasWatched = false
  #watched: readonly WatchedSource[] = []

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

  get livePictures(): number {
    return this.pictures?.published.filter(({ isLive }) => isLive).length ?? 0
  }

  /** @param watched the pictures that the member wants to receive, including those that are not sent yet */
  watch(watched: readonly WatchedSource[]): void {
    this.#watched = withoutRepeats(watched)
    this.hasWatched ||= watched.length > 0
    if (this.pictures) this.pictures.viewer.watched = this.#watched
  }

  /**
   * Creates the slots for the m-lines in which the client receives, and the publishers for the microphone, pictures and
   * screen audio.
   */
  prepare(offer: Offer, counts: PacketCounts): void {
    const clock = new SenderClock()
    const microphone = offer.lines.find(({ use }) => use === 'microphone')
    this.publisher =
      microphone && new Publisher(microphone, counts, { canSpeak: this.rights.canSpeak, clock })
    if (offer.lines.some(({ kind, use }) => kind === 'video' && use !== 'unused')) {
      const { userId, publisher } = this
      this.pictures = new MemberPictures(offer.lines, { userId, counts, microphone: publisher, clock })
      this.pictures.setRights(this.rights, 0)
    }
    this.watch(this.#watched)
    const slots = offer.lines.filter(({ use }) => use === 'slot')
    this.splices = slots.map(({ payloadType }, slot) => new Splice({ ...newStream(slot), payloadType }))
    this.heard = slots.map(() => undefined)
  }

  /** Returns the streams of the m-lines in which it receives, by mid. */
  streamsOf({ lines }: Offer): ReadonlyMap<string, SlotStream> {
    const { slots = [], soundSplices = [] } = this.pictures?.viewer ?? {}
    const streams: Partial<Record<LineUse, readonly SlotStream[]>> = {
      slot: this.splices.map(({ ssrc }, slot) => ({ ssrc, pair: slot })),
      soundSlot: soundSplices.map(({ ssrc }, slot) => ({ ssrc, pair: pairOfSound(slot) })),
      pictureSlot: slots.map(({ splice: { stream } }, slot) => ({
        ssrc: stream.ssrc,
        repairSsrc: stream.repair?.ssrc,
        pair: slot,
      })),
    }
    const numberOf = (line: MediaLine) => lines.filter(({ use }) => use === line.use).indexOf(line)
    return new Map(
      lines.flatMap((line) => {
        const stream = streams[line.use]?.[numberOf(line)]
        return stream === undefined ? [] : [[line.mid, stream] as const]
      }),
    )
  }
}

/** Starts at random numbers, as RFC 3550 requires. The slot in the lowest bits keeps a client's SSRCs distinct. */
function newStream(slot: number): { ssrc: number; sequence: number; timestamp: number } {
  return {
    ssrc: randomInt(1, 2 ** 27) * 32 + slot,
    sequence: randomInt(2 ** 15),
    timestamp: randomInt(2 ** 31),
  }
}
