import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { layeredLine, offerWith, videoRows } from '#test/voice/picture-room.ts'
import { writeAnswer } from './answer.ts'
import { readOffer } from './offer.ts'
import type { MediaLine } from './offer-lines.ts'

const LOCAL = {
  ...{ ufrag: 'wxyz', password: 'zyxwvutsrqponmlkjihgfe', fingerprint: 'sha-256 CD' },
  ...{ addresses: ['198.51.100.7'], publicIps: [], port: 7882 },
}

function answerTo(offer: ReturnType<typeof readOffer>): string {
  return writeAnswer(offer, LOCAL, new Map())
}

function repairTypesOf(line: MediaLine | undefined): (number | undefined)[] {
  return line?.codecs.map(({ repairType }) => repairType) ?? []
}

suite('an offer with layers', () => {
  test('LAYER-1: has a camera in up to three layers, with the header extensions by which they are known', () => {
    const asks = (rids: readonly string[], change = (row: string) => row) =>
      readOffer(offerWith([layeredLine('cam', rids).map(change)]))
    const offer = asks(['q', 'h', 'f'])
    const [camera] = offer.lines.filter(({ use }) => use === 'camera')
    assert.deepEqual([camera?.layers, camera?.ssrc], [['q', 'h', 'f'], undefined])
    const [, answered] = answerTo(offer)
      .split(/^(?=m=)/m)
      .slice(1)
    assert.deepEqual(answered?.match(/a=(rid|simulcast|extmap).*/g), [
      'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
      'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
      'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
      'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
      ...['a=rid:q recv', 'a=rid:h recv', 'a=rid:f recv', 'a=simulcast:recv q;h;f'],
    ])
    const layersOf = (asked: ReturnType<typeof readOffer>) => asked.lines[1]?.layers
    assert.deepEqual(layersOf(asks(['a', 'b', 'c', 'd', 'e'])), ['a', 'b', 'c'])
    const simulcast = (list: string) => (row: string) =>
      row.startsWith('a=simulcast') ? `a=simulcast:${list}` : row
    assert.deepEqual(layersOf(asks(['q', 'h', 'f'], simulcast('recv f send ~q,h;f;f;x;a/b;'))), ['q', 'f'])
    for (const list of ['', 'send', 'recv q', 'send ;;;', `send ${'x'.repeat(9999)}`])
      assert.equal(asks(['q'], simulcast(list)).lines[1]?.use, 'unused', list.slice(0, 20))
  })

  test('LAYER-1: has no layers without names in the packets, and no repairs that do not name theirs', () => {
    const without = (name: string) =>
      readOffer(offerWith([layeredLine('cam', ['q', 'f']).filter((row) => !row.endsWith(name))])).lines[1]
    assert.equal(without(':rtp-stream-id')?.use, 'unused')
    assert.equal(without(':mid')?.use, 'unused')
    assert.deepEqual(
      [without(':repaired-rtp-stream-id')?.use, repairTypesOf(without(':repaired-rtp-stream-id'))],
      ['camera', [undefined]],
    )
    assert.deepEqual([without('nothing')?.repairSsrc, repairTypesOf(without('nothing'))], [undefined, [97]])
    const single = [
      ...videoRows('cam', 'sendonly'),
      'a=ssrc:5 cname:x',
      'a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid',
    ]
    const offer = readOffer(offerWith([single]))
    assert.deepEqual([offer.lines[1]?.layers, offer.lines[1]?.ssrc], [[], 5])
    assert.doesNotMatch(answerTo(offer), /a=(rid|simulcast|extmap)/)
  })
})
