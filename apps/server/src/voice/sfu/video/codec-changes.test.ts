import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  PAYLOAD_TYPES,
  payloadOf,
  type SampledCodec,
  sampledPacket,
  withAllCodecs,
} from '#test/voice/codec-packets.ts'
import {
  layeredLine,
  type PictureClient,
  PictureRoom,
  SLOT_LINES,
  videoRows,
} from '#test/voice/picture-room.ts'
import { vp8Packet } from '#test/voice/vp8-packets.ts'
import { writeMissing, writePictureLoss } from './rtcp.ts'

const CAMERA = withAllCodecs([...videoRows('cam', 'sendonly'), 'a=ssrc:77 cname:x'])
const ALL_SLOTS = SLOT_LINES.map(withAllCodecs)
const SAMPLED = ['VP9', 'H264', 'AV1'] as const
const FRAME_TICKS = 3000

/** A camera that changes its codec, and somebody who watches it. */
class Camera {
  readonly room = new PictureRoom()
  readonly mira: PictureClient
  readonly jonas: PictureClient
  #sequence = 65_530
  #timestamp = 4_294_960_000

  constructor(slots: readonly string[][] = ALL_SLOTS) {
    this.mira = this.room.enter('mira', [CAMERA], ALL_SLOTS)
    this.jonas = this.room.enter('jonas', [], slots)
    this.room.watch(this.jonas, { userId: 'mira', source: 'camera' })
    // The first packet only says that the camera sends.
    this.send('VP8', 'later')
  }

  /** Sends a packet. @param kind the height of a key frame, or another packet */
  send(codec: SampledCodec | 'VP8', kind: 360 | 'later', sequence = this.next()): number {
    const header = { sequence, timestamp: this.#timestamp }
    const isVp8 = codec === 'VP8'
    const vp8 = () =>
      vp8Packet({ ...header, isKeyFrame: kind === 360, ...(kind === 360 ? { height: 360 } : {}) })
    this.room.sendBytes(this.mira, isVp8 ? vp8() : sampledPacket(codec, kind, header))
    return sequence
  }

  /** Takes the next number, as for a packet that gets lost. */
  next(): number {
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#timestamp = (this.#timestamp + FRAME_TICKS) >>> 0
    return this.#sequence
  }

  /** Returns the payload types and sequence numbers of what has arrived since the last call. */
  arrived(): [type: number, sequence: number][] {
    const arrived = this.jonas.pictures.splice(0)
    return arrived.map((packet) => [(packet[1] ?? 0) & 127, packet.readUInt16BE(2)])
  }

  types(): number[] {
    return this.arrived().map(([type]) => type)
  }
}

suite('CODEC-2: a viewer’s stream', () => {
  for (const codec of SAMPLED)
    test(`goes on in ${codec} from a key frame on, and in VP8 again`, () => {
      const camera = new Camera()
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
    const camera = new Camera(own)
    camera.send('AV1', 360)
    const [packet] = camera.jonas.pictures
    assert.equal((packet?.[1] ?? 0) & 127, 55)
    assert.deepEqual(packet?.subarray(12), payloadOf('AV1', 360))
  })

  test('keeps its picture ids in order through VP9 and codecs without them', () => {
    const camera = new Camera()
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
    const camera = new Camera()
    camera.send('VP8', 360)
    const late = camera.next()
    camera.send('AV1', 360)
    camera.send('VP8', 'later', late)
    camera.send('AV1', 'later')
    assert.deepEqual(camera.types(), [PAYLOAD_TYPES.VP8, PAYLOAD_TYPES.AV1, PAYLOAD_TYPES.AV1])
  })

  test('has no packet of another codec in the middle of the current one', () => {
    const camera = new Camera()
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
      const camera = new Camera()
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
    const camera = new Camera()
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
    const camera = new Camera(SLOT_LINES)
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

suite('CODEC-4: a sender is told the codecs', () => {
  const ALL = 'VP8,VP9,H264,AV1'

  test('that everyone who watches can decode, when they change', () => {
    const { room } = new Camera()
    assert.deepEqual(room.toldCodecs.splice(0), [`mira ${ALL}`])
    const ada = room.enter('ada')
    assert.deepEqual(room.toldCodecs, [], 'she does not watch yet')
    room.watch(ada, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs.splice(0), ['mira VP8'])
    room.watch(ada)
    room.watch(ada, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs, [], 'she counts until she leaves')
    room.pass(20_000)
    room.leave(ada)
    room.pass(10_000)
    const again = room.enter('ada')
    room.watch(again, { userId: 'mira', source: 'camera' })
    room.leave(again)
    room.pass(14_000)
    assert.deepEqual(room.toldCodecs, [], 'coming and going changes nothing')
    room.pass(3000)
    assert.deepEqual(room.toldCodecs, [`mira ${ALL}`])
  })

  test('also when one viewer leaves, and another who lacks other codecs arrives', () => {
    const { room } = new Camera()
    room.toldCodecs.length = 0
    const enter = (name: string, lacking: string) => {
      const slots = ALL_SLOTS.map((rows) => rows.filter((row) => !row.includes(lacking)))
      const viewer = room.enter(name, [], slots)
      room.watch(viewer, { userId: 'mira', source: 'camera' })
      return viewer
    }
    const ada = enter('ada', 'AV1')
    room.leave(ada)
    enter('kim', 'H264')
    assert.deepEqual(room.toldCodecs.splice(0), ['mira VP8,VP9,H264', 'mira VP8,VP9'])
    room.pass(17_000)
    assert.deepEqual(room.toldCodecs, ['mira VP8,VP9,AV1'])
  })

  test('whatever a client watches that has no slot, or is not connected', () => {
    const { room } = new Camera()
    room.toldCodecs.length = 0
    const mallory = room.enter('mallory', [CAMERA], [])
    room.watch(mallory, { userId: 'mira', source: 'camera' })
    assert.deepEqual(room.toldCodecs.splice(0), [`mallory ${ALL}`])
    const late = room.enter('late')
    late.member.isConnected = false
    room.watch(late, { userId: 'mira', source: 'camera' })
    room.pass(2000)
    assert.deepEqual(room.toldCodecs, [])
  })

  test('of those that it has offered, and nothing if it begins with the only one', () => {
    const room = new PictureRoom()
    const withoutH264 = withAllCodecs(videoRows('cam', 'sendonly')).filter((row) => !row.includes('H264'))
    room.enter('mira', [[...withoutH264, 'a=ssrc:77 cname:x']], ALL_SLOTS)
    room.enter('jonas', [[...videoRows('cam', 'sendonly'), 'a=ssrc:77 cname:x']], ALL_SLOTS)
    room.enter('ada', [], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs, ['mira VP8,VP9,AV1'])
  })

  test('that all its lines have in common, and counts only those that all slots of a viewer decode', () => {
    const room = new PictureRoom()
    const screen = [...videoRows('scr', 'sendonly'), 'a=ssrc:79 cname:x']
    room.enter('mira', [CAMERA, screen], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs, [])
    room.enter('jonas', [CAMERA], ALL_SLOTS)
    assert.deepEqual(room.toldCodecs.splice(0), [`jonas ${ALL}`])
    const ada = room.enter('ada', [], [...SLOT_LINES.slice(0, 1), ...ALL_SLOTS.slice(1)])
    room.watch(ada, { userId: 'jonas', source: 'camera' })
    assert.deepEqual(room.toldCodecs, ['jonas VP8'])
  })
})
