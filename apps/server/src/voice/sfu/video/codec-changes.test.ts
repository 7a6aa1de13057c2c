import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ALL_SLOTS, CAMERA, ChangingCamera } from '#test/voice/changing-camera.ts'
import { PAYLOAD_TYPES, payloadOf, sampledPacket, withAllCodecs } from '#test/voice/codec-packets.ts'
import { layeredLine, PictureRoom, SLOT_LINES } from '#test/voice/picture-room.ts'
import { vp8Packet } from '#test/voice/vp8-packets.ts'
import { PicturePacket } from './picture-packet.ts'
import { writeMissing, writePictureLoss } from './rtcp.ts'

const SAMPLED = ['VP9', 'H264', 'AV1'] as const

test('CODEC-2: a packet that is read into an earlier one has none of its numbers', () => {
  const packet = new PicturePacket()
  const numbers = { pictureId: 300, baseIndex: 9 }
  packet.read(vp8Packet({ sequence: 7, isKeyFrame: true, height: 360, ...numbers }), 'VP8', false)
  assert.deepEqual([packet.pictureId, packet.baseIndex, packet.height], [300, 9, 360])
  packet.read(sampledPacket('H264', 'later', { sequence: 8, timestamp: 0, ssrc: 1 }), 'H264', false)
  const { codec, sequence, height, startsKeyFrame } = packet
  assert.deepEqual([codec, sequence, height, startsKeyFrame], ['H264', 8, 0, false])
  const { pictureIdAt, pictureId, hasLongId, baseIndexAt, baseIndex } = packet
  assert.deepEqual([pictureIdAt, pictureId, hasLongId, baseIndexAt, baseIndex], [0, 0, false, 0, 0])
})

suite('CODEC-2: a viewer’s stream', () => {
  for (const codec of SAMPLED)
    test(`goes on in ${codec} from a key frame on, and in VP8 again`, () => {
      const camera = new ChangingCamera()
      camera.send('VP8', 360)
      camera.send('VP8', 'later')
      camera.send(codec, 'later')
      camera.send(codec, 360)
      camera.send(codec, 'later')
      camera.send('VP8', 'later')
      camera.send('VP8', 360)
      const arrived = camera.arrived()
      const { VP8, [codec]: other } = PAYLOAD_TYPES
      assert.deepEqual(
        arrived.map(([type]) => type),
        [VP8, VP8, other, other, VP8],
      )
      const [first] = arrived[0] === undefined ? [] : [arrived[0][1]]
      assert.deepEqual(
        arrived.map(([, sequence]) => (sequence - (first ?? 0)) & 0xffff),
        [0, 1, 2, 3, 4],
      )
    })

  test('has the numbers of its line, and otherwise the sender’s payload', () => {
    const own = ALL_SLOTS.map((rows) =>
      rows.map((row) => row.replace(/\b45\b/g, '55').replace(/\b46\b/g, '56')),
    )
    const camera = new ChangingCamera(own)
    camera.send('AV1', 360)
    const [packet] = camera.jonas.pictures
    assert.equal((packet?.[1] ?? 0) & 127, 55)
    assert.deepEqual(packet?.subarray(12), payloadOf('AV1', 360))
  })

  test('keeps its picture ids in order through VP9 and codecs without them', () => {
    const camera = new ChangingCamera()
    const idOf = (packet: Buffer | undefined, at: number) => (packet?.readUInt16BE(at) ?? 0) & 0x7fff
    camera.send('VP8', 360)
    camera.send('VP9', 360)
    camera.send('H264', 360)
    camera.send('VP9', 360)
    const [vp8, vp9, , again] = camera.jonas.pictures
    assert.equal(idOf(vp9, 13), (idOf(vp8, 14) + 1) & 0x7fff)
    assert.ok(((idOf(again, 13) - idOf(vp9, 13)) & 0x7fff) > 0)
  })

  test('takes a late packet of the codec before for lost, and goes on', () => {
    const camera = new ChangingCamera()
    camera.send('VP8', 360)
    const late = camera.next()
    camera.send('AV1', 360)
    camera.send('VP8', 'later', late)
    camera.send('AV1', 'later')
    assert.deepEqual(camera.types(), [PAYLOAD_TYPES.VP8, PAYLOAD_TYPES.AV1, PAYLOAD_TYPES.AV1])
  })

  test('has no packet of another codec in the middle of the current one', () => {
    const camera = new ChangingCamera()
    camera.send('AV1', 360)
    const missing = camera.next()
    camera.send('AV1', 'later')
    camera.send('VP9', 'later', missing)
    assert.deepEqual(camera.types(), [PAYLOAD_TYPES.AV1, PAYLOAD_TYPES.AV1])
  })

  test('has no layer whose key frames do not state their height, and its sender is not asked again and again', () => {
    const room = new PictureRoom()
    const mira = room.enter('mira', [withAllCodecs(layeredLine('cam', ['f']))], ALL_SLOTS)
    const jonas = room.enter('jonas', [], ALL_SLOTS)
    room.watch(jonas, { userId: 'mira', source: 'camera' })
    const high = payloadOf('H264', 360)
    high[4] = 100
    for (let sequence = 0; sequence < 100; sequence += 1) {
      const extensions = { 4: 'cam', 10: 'f' }
      const packet = sampledPacket('H264', 360, {
        sequence,
        timestamp: 3000 * sequence,
        ssrc: 101,
        extensions,
      })
      high.copy(packet, packet.length - high.length)
      room.sendBytes(mira, packet)
      room.pass(50)
    }
    assert.deepEqual([jonas.pictures, mira.keyFrames], [[], []])
  })

  for (const codec of SAMPLED)
    test(`is sent lost packets of ${codec} again, as its line repairs that codec`, () => {
      const camera = new ChangingCamera()
      camera.send('VP8', 360)
      camera.send(codec, 360)
      camera.send(codec, 'later')
      const [, , lost] = camera.jonas.pictures
      assert.ok(lost)
      camera.arrived()
      camera.room.report(camera.jonas, writeMissing(1, lost.readUInt32BE(8), [lost.readUInt16BE(2)]))
      const [repair] = camera.jonas.pictures
      assert.equal((repair?.[1] ?? 0) & 127, PAYLOAD_TYPES[codec] + 1)
      assert.equal(repair?.readUInt16BE(12), lost.readUInt16BE(2))
      assert.deepEqual(repair?.subarray(14), lost.subarray(12))
    })

  test('takes what its sender repairs in any codec', () => {
    const camera = new ChangingCamera()
    const ssrc = CAMERA.map((row) => row.replace('a=ssrc:77 cname:x', 'a=ssrc-group:FID 77 78'))
    const ada = camera.room.enter('ada', [ssrc], ALL_SLOTS)
    camera.room.watch(camera.jonas, { userId: 'ada', source: 'camera' })
    camera.room.sendBytes(ada, vp8Packet({ sequence: 499 }))
    const repaired = { sequence: 1, repairs: 500, ssrc: 78, payloadType: PAYLOAD_TYPES.AV1 + 1 }
    camera.room.sendBytes(ada, sampledPacket('AV1', 360, repaired))
    assert.deepEqual(camera.types(), [PAYLOAD_TYPES.AV1])
    const wrong = { ...repaired, repairs: 501, payloadType: 60 }
    camera.room.sendBytes(ada, sampledPacket('AV1', 'later', wrong))
    assert.deepEqual([camera.types(), camera.room.counts.dropped], [[], 1])
  })

  test('has the layer that fits, in each codec', () => {
    const room = new PictureRoom()
    const rids = ['q', 'h', 'f'] as const
    const mira = room.enter('mira', [withAllCodecs(layeredLine('cam', rids))], ALL_SLOTS)
    const jonas = room.enter('jonas', [], ALL_SLOTS)
    room.watch(jonas, { userId: 'mira', source: 'camera', height: 300 })
    const heights = [180, 360, 720] as const
    for (const [turn, codec] of SAMPLED.entries()) {
      for (const [at, rid] of rids.entries()) {
        const header = {
          sequence: 100 + turn,
          timestamp: 9000 * turn,
          ssrc: 101 + at,
          extensions: { 4: 'cam', 10: rid },
        }
        room.sendBytes(mira, sampledPacket(codec, heights[at] ?? 180, header))
      }
      room.pass(100)
    }
    assert.deepEqual(jonas.pictures.map((packet) => (packet[1] ?? 0) & 127).slice(-2), [
      PAYLOAD_TYPES.H264,
      PAYLOAD_TYPES.AV1,
    ])
    assert.deepEqual(jonas.pictures.at(-1)?.subarray(12), payloadOf('AV1', 360))
  })
})

suite('CODEC-3: a codec that the viewer cannot decode', () => {
  test('is not forwarded, and no key frame is requested for it', () => {
    const camera = new ChangingCamera(SLOT_LINES)
    camera.send('VP8', 360)
    assert.deepEqual(
      camera.jonas.pictures.map((packet) => (packet[1] ?? 0) & 127),
      [PAYLOAD_TYPES.VP8],
    )
    camera.send('AV1', 360)
    camera.mira.keyFrames.length = 0
    const ssrc = camera.jonas.pictures[0]?.readUInt32BE(8) ?? 0
    for (let frames = 0; frames < 60; frames += 1) {
      camera.send('AV1', 'later')
      camera.room.report(camera.jonas, writePictureLoss(1, ssrc))
      camera.room.pass(50)
    }
    assert.deepEqual([camera.types(), camera.mira.keyFrames], [[PAYLOAD_TYPES.VP8], []])
    camera.send('VP8', 'later')
    camera.room.pass(100)
    assert.deepEqual(camera.mira.keyFrames, [77])
    camera.send('VP8', 360)
    assert.deepEqual(camera.types(), [PAYLOAD_TYPES.VP8])
  })
})
