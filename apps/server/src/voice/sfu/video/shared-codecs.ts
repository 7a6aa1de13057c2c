import { type PictureCodec, pictureCodecs } from '@foyer/protocol/voice'
import type { Member } from '../member.ts'

/** Time for which all viewers must be able to decode an excluded codec before it is allowed again. */
const WIDEN_AFTER_MS = 15_000

/**
 * The codecs that all viewers in a room can decode. A member counts as a viewer from the first picture that it watches until it
 * leaves. A codec that a viewer cannot decode is excluded at once, but allowed again only after WIDEN_AFTER_MS: otherwise a
 * viewer who comes and goes would make all senders begin again each time.
 */
export class SharedCodecs {
  #codecs: readonly PictureCodec[] = pictureCodecs
  /** Last time at which all codecs that all viewers can decode were allowed. */
  #narrowAt = 0

  /** @param notify is called for each sender whose codecs have changed */
  update(
    members: ReadonlySet<Member>,
    nowMs: number,
    notify: (member: Member, codecs: readonly PictureCodec[]) => void,
  ): void {
    const decoded = decodedByAll(members)
    const kept = this.#codecs.filter((codec) => decoded.includes(codec))
    if (kept.length === decoded.length) this.#narrowAt = nowMs
    this.#codecs = nowMs - this.#narrowAt < WIDEN_AFTER_MS ? kept : decoded
    for (const member of members) {
      const codecs = member.pictures?.takeNewCodecs(this.#codecs)
      if (codecs !== undefined) notify(member, codecs)
    }
  }
}

function decodedByAll(members: ReadonlySet<Member>): readonly PictureCodec[] {
  const viewers = [...members].flatMap(({ pictures, hasWatched, isConnected }) =>
    // A client without slots for pictures decodes no codec, so it does not count as a viewer.
    pictures && hasWatched && isConnected && pictures.decoded.length > 0 ? [pictures] : [],
  )
  return pictureCodecs.filter((codec) => viewers.every(({ decoded }) => decoded.includes(codec)))
}
