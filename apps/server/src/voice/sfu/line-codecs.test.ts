import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { withAllCodecs } from '#test/voice/codec-packets.ts'
import { offerWith, SLOT_LINES, videoRows } from '#test/voice/picture-room.ts'
import { writeAnswer } from './answer.ts'
import { readCodecs } from './line-codecs.ts'
import { readOffer } from './offer.ts'

const LOCAL = {
  ...{ ufrag: 'wxyz', password: 'zyxwvutsrqponmlkjihgfe', fingerprint: 'sha-256 CD' },
  ...{ addresses: ['198.51.100.7'], publicIps: [], port: 7882 },
}
const VP8 = ['a=rtpmap:96 VP8/90000']

function names(rows: readonly string[]): string[] {
  return readCodecs(rows).map(({ name, payloadType, repairType }) => `${name} ${payloadType} ${repairType}`)
}

suite('CODEC-1: a line of video', () => {
  test('is answered with the four codecs and their repairs, VP8 first, each with its profile and feedback', () => {
    const line = [...withAllCodecs(videoRows('cam', 'sendonly')), 'a=ssrc:77 cname:x']
    const answer = writeAnswer(readOffer(offerWith([line], SLOT_LINES.map(withAllCodecs))), LOCAL, new Map())
    const [, camera = '', slot = ''] = answer.split(/^(?=m=)/m).slice(1)
    assert.match(camera, /^m=video 9 UDP\/TLS\/RTP\/SAVPF 96 97 98 99 102 103 45 46\r$/m)
    assert.match(slot, /^m=video 9 UDP\/TLS\/RTP\/SAVPF 96 97 98 99 102 103 45 46\r$/m)
    const feedback = (type: number) =>
      ['nack', 'nack pli', 'goog-remb'].map((name) => `a=rtcp-fb:${type} ${name}`)
    assert.deepEqual(camera.match(/a=(rtpmap|rtcp-fb|fmtp).*/g), [
      'a=rtpmap:96 VP8/90000',
      ...feedback(96),
      ...['a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96'],
      ...['a=rtpmap:98 VP9/90000', 'a=fmtp:98 profile-id=0'],
      ...feedback(98),
      ...['a=rtpmap:99 rtx/90000', 'a=fmtp:99 apt=98'],
      'a=rtpmap:102 H264/90000',
      'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
      ...feedback(102),
      ...['a=rtpmap:103 rtx/90000', 'a=fmtp:103 apt=102'],
      ...['a=rtpmap:45 AV1/90000', 'a=fmtp:45 level-idx=5;profile=0;tier=0'],
      ...feedback(45),
      ...['a=rtpmap:46 rtx/90000', 'a=fmtp:46 apt=45'],
    ])
  })

  test('has no codec without VP8, and none of another profile', () => {
    const h264 = (parameters: string) =>
      names([...VP8, 'a=rtpmap:102 H264/90000', `a=fmtp:102 ${parameters}`])
    assert.deepEqual(names(['a=rtpmap:98 VP9/90000']), [])
    assert.deepEqual(names([...VP8, 'a=rtpmap:98 VP9/90000']), ['VP8 96 undefined', 'VP9 98 undefined'])
    assert.equal(names([...VP8, 'a=rtpmap:98 VP9/90000', 'a=fmtp:98 profile-id=2']).length, 1)
    for (const other of ['level-idx=5;profile=1;tier=0', 'level-idx=8;profile=0', 'tier=1'])
      assert.equal(names([...VP8, 'a=rtpmap:45 AV1/90000', `a=fmtp:45 ${other}`]).length, 1, other)
    assert.equal(h264('packetization-mode=1;profile-level-id=42E01F').length, 2)
    assert.equal(h264('profile-level-id=42e034; level-asymmetry-allowed=1; packetization-mode=1').length, 2)
    for (const other of [
      'packetization-mode=0;profile-level-id=42e01f',
      'profile-level-id=42e01f',
      'packetization-mode=1',
      'packetization-mode=1;profile-level-id=42001f',
      '',
      '=;;=',
    ])
      assert.equal(h264(other).length, 1, other)
  })

  test('is read in time, however often it repeats a payload type or a parameter', () => {
    const repeated = Array.from({ length: 1400 }, () => 'a=rtpmap:98 VP9/90000')
    const others = Array.from({ length: 900 }, (_, at) => `a=rtpmap:${at % 64} rtx/90000`)
    const parameters = `a=fmtp:98 ${';'.repeat(32_000)}profile-id=0`
    const before = performance.now()
    assert.deepEqual(names([...VP8, ...repeated, ...others, parameters]), [
      'VP8 96 undefined',
      'VP9 98 undefined',
    ])
    assert.ok(performance.now() - before < 2000, 'it took half a minute')
  })

  test('uses each payload type once, and none that is taken for RTCP', () => {
    const rtx = (type: number, of: number) => [`a=rtpmap:${type} rtx/90000`, `a=fmtp:${type} apt=${of}`]
    assert.deepEqual(names([...VP8, 'a=rtpmap:96 VP9/90000', ...rtx(96, 96)]), ['VP8 96 undefined'])
    assert.deepEqual(names([...VP8, ...rtx(97, 96), 'a=rtpmap:97 VP9/90000']), ['VP8 96 97'])
    assert.deepEqual(names([...VP8, ...rtx(98, 96), 'a=rtpmap:98 VP9/90000']), ['VP8 96 98'])
    for (const type of [64, 72, 95, 128, 999])
      assert.equal(names([...VP8, `a=rtpmap:${type} AV1/90000`]).length, 1)
    assert.deepEqual(names(['a=rtpmap:96 vp8/90000', 'a=rtpmap:45 av1/90000']), [
      'VP8 96 undefined',
      'AV1 45 undefined',
    ])
  })
})
