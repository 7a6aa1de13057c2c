import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { FrameReader, frameOf, MAX_FRAME_BYTES } from './frames.ts'

/** All packets that a reader finds in these pieces of a stream, and what it says at the end. */
function read(pieces: readonly Buffer[]): { packets: Buffer[]; end: string } {
  const reader = new FrameReader()
  const packets: Buffer[] = []
  for (const piece of pieces) {
    reader.add(piece)
    const end = drain(reader, packets)
    if (end === 'oversized') return { packets, end }
  }
  return { packets, end: drain(reader, packets) }
}

function drain(reader: FrameReader, packets: Buffer[]): string {
  for (;;) {
    const packet = reader.next()
    if (typeof packet === 'string') return packet
    packets.push(packet)
  }
}

/** Cuts the stream at random places. */
function cut(stream: Buffer, maxBytes: number): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  while (at < stream.length) {
    const end = at + randomInt(1, maxBytes + 1)
    pieces.push(stream.subarray(at, end))
    at = end
  }
  return pieces
}

const packet = (bytes: number) => Buffer.alloc(bytes, bytes & 0xff)

test('VTCP-3: packets stay whole, however the stream is cut', () => {
  const packets = [0, 1, 2, 20, 1200, MAX_FRAME_BYTES, 3, 0, 1500].map(packet)
  const stream = Buffer.concat(packets.map(frameOf))
  for (const maxBytes of [1, 2, 3, 7, 1000, 5000, stream.length])
    assert.deepEqual(read(cut(stream, maxBytes)), { packets, end: 'incomplete' })
})

test('VTCP-3: half a packet is awaited, and an oversized one ends the stream before it is buffered', () => {
  const half = frameOf(packet(100)).subarray(0, 60)
  assert.deepEqual(read([half]), { packets: [], end: 'incomplete' })
  for (const bytes of [MAX_FRAME_BYTES + 1, 65_535]) {
    const length = Buffer.from([bytes >> 8, bytes & 0xff])
    assert.deepEqual(read([frameOf(packet(5)), length]), { packets: [packet(5)], end: 'oversized' })
  }
})

test('VTCP-3: no stream, however spoilt, yields a packet over the limit or loses what came before', () => {
  const packets = Array.from({ length: 40 }, () => packet(randomInt(0, 1500)))
  const stream = Buffer.concat(packets.map(frameOf))
  for (let round = 0; round < 500; round += 1) {
    const spoilt = Buffer.from(stream)
    const at = randomInt(spoilt.length)
    spoilt.writeUInt8((spoilt.readUInt8(at) ^ randomInt(1, 256)) & 0xff, at)
    const found = read(cut(spoilt, 3000)).packets
    const before = wholeBefore(packets, at)
    assert.deepEqual(found.slice(0, before), packets.slice(0, before))
    assert.ok(found.every(({ length }) => length <= MAX_FRAME_BYTES))
  }
})

/** Number of packets that end before this place of the stream. */
function wholeBefore(packets: readonly Buffer[], place: number): number {
  let end = 0
  return packets.filter(({ length }) => {
    end += 2 + length
    return end <= place
  }).length
}
