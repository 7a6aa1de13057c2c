import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vp8Only, vp8Packet } from '#test/voice/vp8-packets.ts'
import { Gaps } from './gaps.ts'
import { KeyFrames } from './key-frames.ts'
import { PicturePacket } from './picture-packet.ts'
import { PictureSplice } from './picture-splice.ts'
import { PacketRing } from './ring.ts'
import { readFeedback, writeBandwidth, writeMissing, writePictureLoss, writeReceiverReport } from './rtcp.ts'

const PACKETS = 100_000
const SEED = 20_261_128

/** Returns random integers below a bound, the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Cuts, lengthens and changes bytes of a copy. */
function mutate(packet: Buffer, random: (below: number) => number): Buffer {
  const length = random(4) === 0 ? random(packet.length + 8) : packet.length
  const copy = Buffer.alloc(length)
  packet.copy(copy)
  for (let changes = random(6); changes > 0 && length > 0; changes -= 1) copy[random(length)] = random(256)
  return copy
}

const REPORTED = { fractionLost: 3, lost: 4, highestSequence: 5, jitter: 6, lastReport: 7, delay: 8 }

function reports(): Buffer {
  return Buffer.concat([
    writeReceiverReport(1, [{ ssrc: 2, ...REPORTED }]),
    writeBandwidth(1, 6_500_000, [2, 3]),
    writeMissing(1, 2, [7, 8, 9]),
    writePictureLoss(1, 2),
  ])
}

test('VIDEO-9: 100,000 mutated packets and reports break nothing, and cost no memory', () => {
  const random = randomNumbers(SEED)
  const stream = { ssrc: 1, sequence: 0, timestamp: 0, repair: undefined }
  const splice = new PictureSplice({ ...stream, codecs: vp8Only(97) })
  const ring = new PacketRing()
  const gaps = new Gaps()
  let passed = 0
  let asked = 0
  let next = new PicturePacket()
  for (let count = 0; count < PACKETS; count += 1) {
    const packet = next
    const original = vp8Packet({ sequence: count & 0xffff, isKeyFrame: random(50) === 0 })
    if (packet.read(mutate(original, random), 'VP8', random(3) === 0)) {
      gaps.receive(packet.sequence, count)
      packet.receivedAt = count
      next = ring.put(packet)
      passed += Number(splice.write(packet, count))
      splice.repairOf(packet)
    }
    readFeedback(mutate(reports(), random), {
      onSenderReport: () => undefined,
      onMissing: (_, sequences) => assert.ok(sequences.length < 150),
      onPictureLoss: () => undefined,
    })
    asked += gaps.due(count).length
    assert.ok(gaps.due(count).length <= 100)
  }
  assert.ok(passed > 1000, `${passed} packets are still forwarded`)
  assert.ok(asked > 0)
})

test('VIDEO-9: reports are read as they are written', () => {
  const told: unknown[] = []
  readFeedback(reports(), {
    onSenderReport: (...given) => told.push(given),
    onMissing: (...given) => told.push(given),
    onPictureLoss: (...given) => told.push(given),
  })
  assert.deepEqual(told, [[2, [7, 8, 9]], [2]])
  const bandwidth = writeBandwidth(1, 6_500_000, [2])
  const word = bandwidth.readUInt32BE(16)
  const bits = (word & 0x3_ff_ff) * 2 ** ((word >>> 18) & 63)
  assert.ok(Math.abs(bits - 6_500_000) < 100, String(bits))
  assert.equal(bandwidth.toString('latin1', 12, 16), 'REMB')
})

test('VIDEO-6: a key frame is asked for at most every 500 ms, until it comes, and not of a stream that has stopped', () => {
  const keyFrames = new KeyFrames()
  keyFrames.receive(false, 0)
  assert.equal(keyFrames.isDue(0), false)
  for (let viewer = 0; viewer < 1000; viewer += 1) keyFrames.want()
  const asked: number[] = []
  for (let nowMs = 0; nowMs <= 1990; nowMs += 10) {
    keyFrames.receive(false, nowMs)
    keyFrames.want()
    if (keyFrames.isDue(nowMs)) asked.push(nowMs)
  }
  assert.deepEqual(asked, [0, 500, 1000, 1500])
  assert.equal(keyFrames.isDue(5000), false, 'nothing has come for three seconds')
  keyFrames.receive(false, 5000)
  assert.equal(keyFrames.isDue(5000), true)
  keyFrames.receive(true, 5100)
  assert.equal(keyFrames.isDue(6000), false)
})

test('VIDEO-8: missing packets are asked for five times, and a key frame instead of very many', () => {
  const gaps = new Gaps()
  gaps.receive(65_534, 0)
  gaps.receive(1, 0)
  assert.deepEqual(gaps.due(0), [65_535, 0])
  assert.deepEqual(gaps.due(50), [])
  gaps.receive(0, 50)
  const asked = [100, 200, 300, 400, 500, 600].map((nowMs) => gaps.due(nowMs).length)
  assert.deepEqual(asked, [1, 1, 1, 1, 0, 0])
  assert.equal(gaps.receive(500, 600), false)
  assert.deepEqual(gaps.due(1000), [])
})

test('VIDEO-8: a request is repeated sooner by a sender that answers fast, and each time later', () => {
  const gaps = new Gaps()
  let sequence = 0
  const lose = (nowMs: number) => {
    gaps.receive(sequence, nowMs)
    sequence += 2
    gaps.receive(sequence, nowMs)
    return [sequence - 1]
  }
  const askedAfter = (missing: readonly number[], nowMs: number) =>
    [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 190, 290].filter(
      (ms) => gaps.due(nowMs + ms).length === missing.length,
    )
  for (let nowMs = 0; nowMs < 10_000; nowMs += 500) {
    const missing = lose(nowMs)
    assert.deepEqual(gaps.due(nowMs), missing)
    for (const number of missing) gaps.receive(number, nowMs + 8)
  }
  assert.deepEqual(askedAfter(lose(10_000), 10_000), [0, 30, 90, 190, 290])
  for (let nowMs = 20_000; nowMs < 30_000; nowMs += 500) {
    const missing = lose(nowMs)
    gaps.due(nowMs)
    gaps.due(nowMs + 50)
    for (const number of missing) gaps.receive(number, nowMs + 90)
  }
  assert.deepEqual(askedAfter(lose(30_000), 30_000), [0, 100, 290], 'the line has become slower')
})

test('FAULT-2: a slow stream keeps the packets of a second, a fast one a thousand, and none twice', () => {
  const slow = new PacketRing()
  const fast = new PacketRing()
  const put = (ring: PacketRing, sequence: number, receivedAt: number) => {
    const packet = new PicturePacket()
    packet.read(vp8Packet({ sequence: sequence & 0xffff }), 'VP8', false)
    packet.receivedAt = receivedAt
    ring.put(packet)
  }
  for (let count = 0; count < 200; count += 1) put(slow, count, count * 100)
  assert.equal(slow.size, 11)
  for (let count = 0; count < 100_000; count += 1) put(fast, count, 0)
  assert.equal(fast.size, 1024)
  for (let count = 0; count < 10_000; count += 1) put(fast, 7, count * 2000)
  assert.equal(fast.size, 1)
  assert.equal(fast.find(7, 9999 * 2000)?.receivedAt, 9999 * 2000)
})

test('FAULT-2: packets that are no longer needed are used again, and the others keep what they hold', () => {
  const ring = new PacketRing()
  const used = new Set<PicturePacket>()
  let next = new PicturePacket()
  for (let sequence = 0; sequence < 300; sequence += 1) {
    next.read(vp8Packet({ sequence }), 'VP8', false)
    next.receivedAt = sequence * 50
    used.add(next)
    next = ring.put(next)
  }
  assert.equal(used.size, 22, 'those of a second, and the next one')
  for (let sequence = 280; sequence < 300; sequence += 1)
    assert.equal(ring.find(sequence, 299 * 50)?.bytes.readUInt16BE(2), sequence)
})

test('VIDEO-8: the packets of the last second are kept', () => {
  const ring = new PacketRing()
  const packet = new PicturePacket()
  packet.read(vp8Packet({ sequence: 5000 }), 'VP8', false)
  packet.receivedAt = 100
  ring.put(packet)
  assert.equal(ring.find(5000, 1100), packet)
  assert.equal(ring.find(5000, 1101), undefined)
  assert.equal(ring.find(5000 + 1024, 100), undefined)
})
