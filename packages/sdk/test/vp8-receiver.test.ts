import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RtpPacket } from '@foyer/sdk/voice/rtp'
import { readVp8Header } from '@foyer/sdk/voice/vp8'
import { readVp8Payload, vp8PayloadsOf } from '@foyer/sdk/voice/vp8-payload'
import { type Vp8Frame, Vp8Receiver } from '@foyer/sdk/voice/vp8-receiver'
import { packetsOf, vp8Frame } from './vp8-frames.ts'

const FRAMES = [
  vp8Frame({ isKeyFrame: true, bytes: 5000 }),
  vp8Frame({ fill: 2 }),
  vp8Frame({ fill: 3, bytes: 200 }),
  vp8Frame({ fill: 4 }),
]

/** A receiver whose time is given, and the frames that it has delivered. */
class Viewer {
  readonly frames: Vp8Frame[] = []
  readonly receiver = new Vp8Receiver((frame) => this.frames.push(frame))
  nowMs = 0

  take(packets: readonly (RtpPacket | undefined)[]): void {
    for (const packet of packets) if (packet !== undefined) this.receiver.receive(packet, this.nowMs)
  }

  /** Lets time pass, and returns what was requested in it. */
  pass(ms: number) {
    const asked: number[] = []
    let keyFrames = 0
    for (const end = this.nowMs + ms; this.nowMs < end; this.nowMs += 25) {
      const { missing, needsKeyFrame } = this.receiver.requests(this.nowMs)
      asked.push(...missing)
      keyFrames += needsKeyFrame ? 1 : 0
    }
    return { asked, keyFrames }
  }

  get fills(): (number | undefined)[] {
    return this.frames.map(({ data }) => data.at(-1))
  }
}

describe('VP8 in packets', () => {
  test('VIDEOBOT-2: a frame becomes packets of nearly one size, with a picture id, and the first says that it begins', () => {
    const frame = vp8Frame({ isKeyFrame: true, bytes: 2500 })
    const payloads = vp8PayloadsOf(frame, 0x1234)
    assert.deepEqual(
      payloads.map((payload) => [...payload.subarray(0, 4)]),
      [
        [0x90, 0x80, 0x92, 0x34],
        [0x80, 0x80, 0x92, 0x34],
        [0x80, 0x80, 0x92, 0x34],
      ],
    )
    assert.ok(payloads.every(({ length }) => length <= 1184))
    const parts = payloads.map((payload) => readVp8Payload(payload))
    assert.deepEqual(
      parts.map((part) => [part?.startsFrame, part?.startsKeyFrame]),
      [
        [true, true],
        [false, false],
        [false, false],
      ],
    )
    assert.deepEqual(Buffer.concat(parts.map((part) => part?.bytes ?? Buffer.of())), Buffer.from(frame))
  })

  test('VIDEOBOT-2: every field of a descriptor is read, and one that is cut off is none', () => {
    const frame = [0x10, 1, 2, 3]
    for (const descriptor of [[0x10], [0x90, 0x80, 5], [0x90, 0xf0, 0x81, 5, 6, 7], [0x90, 0x20, 9]])
      assert.deepEqual([...(readVp8Payload(Uint8Array.from([...descriptor, ...frame]))?.bytes ?? [])], frame)
    for (const payload of [[], [0x10], [0x90], [0x90, 0xf0, 0x81, 5, 6, 7]])
      assert.equal(readVp8Payload(Uint8Array.from(payload)), undefined)
  })

  test('VIDEOBOT-4: only a whole VP8 frame is taken for one', () => {
    const key = vp8Frame({ isKeyFrame: true, size: { width: 1280, height: 720 } })
    assert.deepEqual(readVp8Header(key), { isKeyFrame: true, width: 1280, height: 720 })
    assert.deepEqual(readVp8Header(vp8Frame()), { isKeyFrame: false, width: 0, height: 0 })
    const h264 = Uint8Array.from([0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1f, 0xda, 0x01, 0x40, 0x16])
    const noSize = vp8Frame({ isKeyFrame: true, size: { width: 0, height: 480 } })
    for (const wrong of [Uint8Array.of(), key.subarray(0, 9), key.subarray(0, 500), h264, noSize])
      assert.equal(readVp8Header(wrong), undefined)
  })
})

describe('receiving VP8', () => {
  test('VIDEOBOT-6: frames are delivered whole and in order, with their size and time, across the turn of sequences', () => {
    const viewer = new Viewer()
    viewer.take(packetsOf(FRAMES))
    assert.deepEqual(
      viewer.frames.map(({ data }) => Buffer.from(data)),
      FRAMES.map((frame) => Buffer.from(frame)),
    )
    assert.deepEqual(
      viewer.frames.map(({ isKeyFrame, timestamp, width, height }) => [isKeyFrame, timestamp, width, height]),
      [0, 1, 2, 3].map((at) => [at === 0, at * 3000, 640, 480]),
    )
  })

  test('VIDEOBOT-6: packets may come in another order, twice, and with padding between them', () => {
    const viewer = new Viewer()
    const [first, ...others] = packetsOf(FRAMES)
    assert.ok(first)
    const last = others.at(-1)
    const padding = { ...first, sequence: ((last?.sequence ?? 0) + 1) & 0xffff, payload: new Uint8Array() }
    viewer.take([first, ...others.toReversed(), ...others, padding])
    assert.equal(viewer.frames.length, FRAMES.length)
    const later = packetsOf([vp8Frame({ fill: 9, bytes: 100 })], padding.sequence + 1)
    viewer.take(later)
    assert.deepEqual(viewer.fills, [1, 2, 3, 4, 9])
  })

  test('VIDEOBOT-7: a missing packet is requested every 100 ms, and its frame is delivered when it comes', () => {
    const viewer = new Viewer()
    const packets = packetsOf(FRAMES)
    viewer.take(packets.filter((_, at) => at !== 6))
    assert.deepEqual(viewer.fills, [1])
    const { asked, keyFrames } = viewer.pass(250)
    assert.deepEqual([asked, keyFrames], [Array(3).fill(packets[6]?.sequence), 0])
    viewer.take([packets[6]])
    assert.deepEqual(viewer.fills, [1, 2, 3, 4])
    assert.deepEqual(viewer.pass(1000), { asked: [], keyFrames: 0 })
  })

  test('VIDEOBOT-7: after five requests in vain a key frame is requested, at most every 500 ms, and nothing else is delivered', () => {
    const viewer = new Viewer()
    const packets = packetsOf([...FRAMES, vp8Frame({ isKeyFrame: true, fill: 5 }), vp8Frame({ fill: 6 })])
    const keyAt = packets.findIndex(({ timestamp }) => timestamp === 4 * 3000)
    viewer.take(packets.slice(0, keyAt).filter((_, at) => at !== 6))
    const { asked, keyFrames } = viewer.pass(600)
    assert.deepEqual([asked.length, keyFrames], [5, 1])
    assert.equal(viewer.pass(1000).keyFrames, 2)
    assert.deepEqual(viewer.fills, [1])
    viewer.take(packets.slice(keyAt))
    assert.deepEqual(viewer.fills, [1, 5, 6])
    assert.deepEqual(viewer.pass(1000), { asked: [], keyFrames: 0 })
  })

  test('VIDEOBOT-7: a packet that is lost right after a large gap is requested, and holds up no key frame', () => {
    const viewer = new Viewer()
    viewer.take(packetsOf(FRAMES.slice(0, 1)))
    const far = packetsOf([vp8Frame({ fill: 6 }), vp8Frame({ isKeyFrame: true, fill: 7 })], 400)
    viewer.take(far.filter(({ sequence }) => sequence !== 401))
    assert.deepEqual(viewer.pass(25).asked, [401])
    viewer.pass(700)
    assert.deepEqual(viewer.fills, [1, 7])
  })

  test('VIDEOBOT-7: a key frame that has come is not delayed by what is lost before it, and a large gap is not requested', () => {
    const viewer = new Viewer()
    const packets = packetsOf([...FRAMES, vp8Frame({ isKeyFrame: true, fill: 5 })])
    viewer.take(packets.filter((_, at) => at !== 6))
    viewer.pass(700)
    assert.deepEqual(viewer.fills, [1, 5])
    const far = packetsOf([vp8Frame({ fill: 6 }), vp8Frame({ isKeyFrame: true, fill: 7 })], 400)
    viewer.take(far)
    assert.deepEqual(viewer.pass(25).asked, [])
    assert.deepEqual(viewer.fills, [1, 5, 7])
  })

  test('VIDEOBOT-7: without a key frame nothing is delivered, and nonsense neither stops nor grows it', () => {
    const viewer = new Viewer()
    const packets = packetsOf(FRAMES.slice(1))
    viewer.take(packets)
    assert.deepEqual([viewer.frames.length, viewer.pass(25).keyFrames], [0, 1])
    const start = (packets.at(-1)?.sequence ?? 0) + 1
    const nonsense = Array.from({ length: 3000 }, (_, at) => ({
      ...{ ssrc: 5, timestamp: at, marker: at % 3 === 0 },
      sequence: (start + at) & 0xffff,
      payload: Uint8Array.from([0x90 | (at % 8), at % 256, 0, 0, 0, at % 7]),
    }))
    viewer.take(nonsense)
    viewer.take(packetsOf([vp8Frame({ isKeyFrame: true, fill: 8 })], start + 3000))
    assert.equal(viewer.fills.at(-1), 8)
  })

  test('VIDEOBOT-11: a frame has a limit of packets, also if each has one byte, and what waits has one of bytes', () => {
    const viewer = new Viewer()
    const hostile = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ ssrc: 5, timestamp: 7, marker: at === 9999, sequence: at },
      payload: at === 0 ? Uint8Array.from([0x10, 0]) : Uint8Array.from([0, 0]),
    }))
    viewer.take(hostile.slice(0, -1))
    assert.equal(viewer.pass(25).keyFrames, 1, 'it has been given up')
    viewer.take(hostile.slice(-1))
    assert.deepEqual(viewer.frames, [])
    const large = new Viewer()
    const waiting = Array.from({ length: 90 }, (_, at) => ({
      ...{ ssrc: 5, timestamp: 7, marker: false, sequence: 2 * at },
      payload: new Uint8Array(60_000),
    }))
    large.take(waiting)
    assert.equal(large.pass(25).keyFrames, 1, 'it has been given up')
    large.take(packetsOf([vp8Frame({ isKeyFrame: true, fill: 9 })], 1000))
    assert.deepEqual(large.fills, [9])
  })

  test('VIDEOBOT-11: packets of two times are never one frame', () => {
    const viewer = new Viewer()
    const packets = packetsOf(FRAMES).map((packet, at) => (at === 2 ? { ...packet, timestamp: 1 } : packet))
    viewer.take(packets)
    assert.deepEqual([viewer.frames, viewer.pass(25).keyFrames], [[], 1])
  })
})
