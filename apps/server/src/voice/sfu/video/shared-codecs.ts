import { type PictureCodec, pictureCodecs } from '@foyer/protocol/voice'
import type { Member } from '../member.ts'

/**
 * Finds the codecs that everyone who watches can decode. A client counts from the first picture that it watches until it leaves,
 * so that nobody can make senders change codecs again and again.
 * @param tell is called with the codecs of each sender for whom they have changed
 */
export function shareCodecs(
  members: Iterable<Member>,
  tell: (member: Member, codecs: readonly PictureCodec[]) => void,
): void {
  const present = [...members]
  const viewers = present.flatMap(({ pictures, hasWatched }) => (pictures && hasWatched ? [pictures] : []))
  const shared = pictureCodecs.filter((codec) => viewers.every(({ decoded }) => decoded.includes(codec)))
  for (const member of present) {
    const codecs = member.pictures?.takeNewCodecs(shared)
    if (codecs !== undefined) tell(member, codecs)
  }
}
