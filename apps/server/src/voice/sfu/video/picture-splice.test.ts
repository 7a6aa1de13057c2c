import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readVp8Packet, type Vp8Packet, vp8Only, vp8Packet } from '#test/voice/vp8-packets.ts'
import { PicturePacket } from './picture-packet.ts'
import { PictureSplice } from './picture-splice.ts'

const REPAIR = { ssrc: 1001, payloadType: 98, sequence: 65_535 }

function newSplice(repair: { ssrc: number; payloadType: number; sequence: number } | undefined = undefined) {
  return new PictureSplice({ ssrc: 1000, codecs: vp8Only(97), sequence: 65_530, timestamp: 5000, repair })
}

function read(wanted: Vp8Packet): PicturePacket {
  const packet = new PicturePacket()
  assert.ok(packet.read(vp8Packet(wanted), 'VP8', false))
  return packet
}

/** A packet of 40 bytes of padding. */
function readPadding(sequence: number): PicturePacket {
  const packet = new PicturePacket()
  const received = Buffer.alloc(12 + 40)
  received[0] = 0xa0
  received[1] = 96
  received.writeUInt16BE(sequence, 2)
  received[received.length - 1] = 40
  assert.ok(packet.read(received, 'VP8', false))
  return packet
}

/** Returns what the viewer reads; undefined for a packet that is held back. */
function pass(splice: PictureSplice, wanted: Vp8Packet, nowMs = 0) {
  const packet = read(wanted)
  return splice.write(packet, nowMs) ? readVp8Packet(packet.bytes) : undefined
}

suite('VIDEO-4: a viewer’s stream', () => {
  test('begins at a key frame, and has nothing of before', () => {
    const splice = newSplice()
    assert.equal(pass(splice, { sequence: 10 }), undefined)
    assert.equal(pass(splice, { sequence: 11, isKeyFrame: true, isFirst: false }), undefined)
    assert.equal(pass(splice, { sequence: 12, isKeyFrame: true })?.ssrc, 1000)
    assert.equal(pass(splice, { sequence: 11 }), undefined)
    assert.equal(pass(splice, { sequence: 13 })?.payloadType, 97)
  })

  test('keeps gaps and order of its sender, across the turn of the numbers', () => {
    const splice = newSplice()
    const first = pass(splice, { sequence: 65_534, isKeyFrame: true })?.sequence ?? 0
    const others = [65_535, 1, 0, 2].map((sequence) => pass(splice, { sequence })?.sequence)
    assert.deepEqual(
      others,
      [1, 3, 2, 4].map((ahead) => (first + ahead) & 0xffff),
    )
  })

  test('is continuous when another picture takes the slot', () => {
    const splice = newSplice()
    pass(
      splice,
      { sequence: 100, isKeyFrame: true, pictureId: 0x7ffe, baseIndex: 254, timestamp: 9000 },
      1000,
    )
    const last = pass(splice, { sequence: 101, pictureId: 0x7fff, baseIndex: 255, timestamp: 12_000 }, 1033)
    splice.restart()
    assert.equal(pass(splice, { sequence: 7, pictureId: 5, baseIndex: 3 }, 1040), undefined)
    const next = pass(
      splice,
      { sequence: 8, isKeyFrame: true, pictureId: 6, baseIndex: 4, timestamp: 4_000_000_000 },
      2033,
    )
    assert.equal(next?.sequence, ((last?.sequence ?? 0) + 1) & 0xffff)
    assert.equal(next?.pictureId, ((last?.pictureId ?? 0) + 1) & 0x7fff)
    assert.equal(next?.baseIndex, ((last?.baseIndex ?? 0) + 1) & 0xff)
    assert.equal(next?.timestamp, (last?.timestamp ?? 0) + 90_000, 'a second has passed')
  })

  test('waits for a key frame again when its sender begins anew', () => {
    const splice = newSplice()
    pass(splice, { sequence: 100, isKeyFrame: true })
    assert.equal(pass(splice, { sequence: 40_000 }), undefined)
    assert.equal(splice.isWaiting, true)
    assert.notEqual(pass(splice, { sequence: 40_001, isKeyFrame: true }), undefined)
  })

  test('goes on after hours without a gap', () => {
    const splice = newSplice()
    let before = pass(splice, { sequence: 0, isKeyFrame: true })?.sequence ?? 0
    for (let sequence = 1; sequence < 200_000; sequence += 1) {
      const now = pass(splice, { sequence: sequence & 0xffff })?.sequence
      assert.equal(now, (before + 1) & 0xffff)
      before = now ?? 0
    }
  })

  test('has the packets by which senders measure the network, without their payload', () => {
    const splice = newSplice()
    const first = pass(splice, { sequence: 50, isKeyFrame: true, pictureId: 7, baseIndex: 3 })
    const padding = readPadding(51)
    assert.ok(splice.write(padding, 0))
    const { length } = padding.bytes
    assert.deepEqual([length, padding.bytes[0], padding.bytes.at(-1)], [13, 0xa0, 1])
    assert.equal(padding.bytes.readUInt16BE(2), ((first?.sequence ?? 0) + 1) & 0xffff)
    const next = pass(splice, { sequence: 52, pictureId: 8, baseIndex: 4 })
    assert.equal(next?.sequence, ((first?.sequence ?? 0) + 2) & 0xffff)
    splice.write(readPadding(53), 0)
    splice.restart()
    const other = pass(splice, { sequence: 900, isKeyFrame: true, pictureId: 100, baseIndex: 50 })
    assert.deepEqual(other?.pictureId, ((next?.pictureId ?? 0) + 1) & 0x7fff)
  })
})

suite('VIDEO-8: a lost packet', () => {
  test('is sent again in the stream for repairs, with its number in front', () => {
    const splice = newSplice({ ...REPAIR })
    pass(splice, { sequence: 20, isKeyFrame: true })
    const lost = read({ sequence: 21, body: 5 })
    splice.write(lost, 0)
    const { sequence } = readVp8Packet(lost.bytes)
    assert.equal(splice.originalOf(sequence), 21)
    const repair = splice.repairOf(lost)
    assert.equal(repair.length, lost.bytes.length + 2)
    assert.deepEqual(
      [repair.readUInt32BE(8), (repair[1] ?? 0) & 127, repair.readUInt16BE(2), repair.readUInt16BE(12)],
      [1001, 98, 0, sequence],
    )
    assert.deepEqual(repair.subarray(14), lost.bytes.subarray(12))
  })

  test('is found also after packets without payload, which senders without repairs send in between', () => {
    const splice = newSplice()
    const first = pass(splice, { sequence: 20, isKeyFrame: true })?.sequence ?? 0
    splice.write(readPadding(22), 0)
    assert.equal(pass(splice, { sequence: 23 })?.sequence, (first + 3) & 0xffff)
    assert.equal(splice.originalOf((first + 1) & 0xffff), 21)
    assert.equal(pass(splice, { sequence: 21 })?.sequence, (first + 1) & 0xffff)
    assert.equal(splice.repairOf(readPadding(22)).length, 13)
  })

  test('is none if it is not of the picture that is shown', () => {
    const splice = newSplice({ ...REPAIR })
    const first = pass(splice, { sequence: 20, isKeyFrame: true })?.sequence ?? 0
    assert.deepEqual([splice.originalOf(first - 1), splice.originalOf(first + 1)], [undefined, undefined])
    splice.restart()
    assert.equal(splice.originalOf(first), undefined)
  })
})
