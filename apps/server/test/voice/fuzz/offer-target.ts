import assert from 'node:assert/strict'
import { NO_RIGHTS } from '#src/voice/engine.ts'
import { nativeOffer, writeAnswer } from '#src/voice/sfu/answer.ts'
import { Member } from '#src/voice/sfu/member.ts'
import { readOffer } from '#src/voice/sfu/offer.ts'
import { Refusal } from '#src/voice/sfu/refusal.ts'
import type { Random } from '../../fuzz/random.ts'
import { withAllCodecs } from '../codec-packets.ts'
import { layeredLine, offerWith, SLOT_LINES, videoRows } from '../picture-room.ts'
import { mutateLines } from './mutations.ts'
import type { FuzzTarget } from './targets.ts'

const LOCAL = {
  ...{ ufrag: 'wxyz', password: 'zyxwvutsrqponmlkjihgfe', fingerprint: 'sha-256 CD' },
  ...{ addresses: ['198.51.100.7'], publicIps: [], port: 7882, tcpPort: 7883 },
}

const OFFERS: readonly string[] = [
  offerWith([]),
  offerWith([layeredLine('cam', ['q', 'h', 'f']), layeredLine('scr', ['h', 'f'])]),
  offerWith([withAllCodecs(layeredLine('cam', ['q', 'h', 'f']))], SLOT_LINES.map(withAllCodecs)),
  offerWith([
    [...videoRows('cam', 'sendonly'), 'a=ssrc-group:FID 5 6', 'a=ssrc:5 cname:x', 'a=ssrc:6 cname:x'],
  ]),
]

/** Target for SDP: each offer is answered, or refused with a message. No part of an offer reaches the native library unchecked. */
export function offerTarget(): FuzzTarget {
  return {
    name: 'offer',
    seeds: OFFERS.map((offer) => Buffer.from(offer, 'latin1')),
    take(bytes, random) {
      const text = bytes.toString('latin1')
      const offer = offerIn(random.isWithin(0.5) ? text : changed(random))
      if (offer === undefined) return
      const member = new Member({ sessionId: 'a', userId: 'a', rights: NO_RIGHTS })
      member.prepare(offer, { forwarded: 0, dropped: 0 })
      const answer = writeAnswer(offer, LOCAL, member.streamsOf(offer))
      assert.equal(answer.split(/^m=/m).length - 1, offer.lines.length)
      assert.doesNotMatch(answer, /undefined|NaN/)
      assert.ok(nativeOffer(offer).length < 2000)
    },
  }
}

function changed(random: Random): string {
  return mutateLines(random.pick(OFFERS).split('\r\n'), random).join('\r\n')
}

function offerIn(sdp: string) {
  try {
    return readOffer(sdp)
  } catch (error) {
    assert.ok(error instanceof Refusal, `${error}`)
    assert.ok(error.message.length > 10)
    return undefined
  }
}
