import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { payloadOf, type SampledCodec } from '#test/voice/codec-packets.ts'
import { readAv1 } from './av1.ts'
import { BitReader } from './bit-reader.ts'
import type { CodecFields, PayloadReader } from './codec-fields.ts'
import { readH264 } from './h264.ts'
import { readVp9 } from './vp9.ts'

const READERS: Readonly<Record<SampledCodec, PayloadReader>> = { VP9: readVp9, H264: readH264, AV1: readAv1 }
const CODECS = ['VP9', 'H264', 'AV1'] as const

function read(codec: SampledCodec, payload: Buffer): CodecFields | undefined {
  const fields = {
    ...{ startsKeyFrame: false, height: 0, pictureIdAt: 0, pictureId: 0, hasLongId: false },
    ...{ baseIndexAt: 0, baseIndex: 0 },
  }
  return READERS[codec](payload, 0, fields) ? fields : undefined
}

/** Reads a payload that is cut off after each byte. */
function readCut(codec: SampledCodec, payload: Buffer): void {
  const { height: whole = 0 } = read(codec, payload) ?? {}
  for (let length = 0; length < payload.length; length += 1) {
    const { height = 0 } = read(codec, payload.subarray(0, length)) ?? {}
    // Missing bits of the other codecs are read as zeros.
    if (codec === 'VP9') assert.ok(height === 0 || height === whole)
  }
}

/** Writes numbers, each as `value/bits`, or as `value` in an Exp-Golomb code. */
function bits(fields: string): Buffer {
  const digits = fields
    .trim()
    .split(/\s+/)
    .map((field) => {
      const [value = 0, count] = field.split('/').map(Number)
      if (count !== undefined) return value.toString(2).padStart(count, '0')
      const code = (value + 1).toString(2)
      return code.padStart(2 * code.length - 1, '0')
    })
  const bytes = digits.join('').match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

suite('CODEC-2: a payload', () => {
  for (const codec of CODECS)
    test(`of ${codec} says where a key frame begins, and its height`, () => {
      for (const height of [180, 360, 720] as const) {
        const fields = read(codec, payloadOf(codec, height))
        assert.deepEqual([fields?.startsKeyFrame, fields?.height], [true, height])
      }
      const later = read(codec, payloadOf(codec, 'later'))
      assert.deepEqual([later?.startsKeyFrame, later?.height], [false, 0])
    })

  for (const codec of CODECS)
    test(`of ${codec} that is cut off anywhere breaks nothing`, () => {
      for (const kind of [180, 360, 720, 'later'] as const) readCut(codec, payloadOf(codec, kind))
      assert.equal(read(codec, Buffer.alloc(0)), undefined)
    })

  test('of VP9 has a picture id, and an index unless its frames name others', () => {
    const fields = read('VP9', payloadOf('VP9', 720))
    assert.deepEqual([fields?.pictureIdAt, fields?.pictureId, fields?.hasLongId], [1, 0x342d, true])
    assert.equal(fields?.baseIndexAt, 0)
    const layered = read('VP9', Buffer.from([0xa8, 0x11, 0x00, 0x2a, 0xff]))
    assert.deepEqual([layered?.pictureId, layered?.hasLongId], [0x11, false])
    assert.deepEqual([layered?.baseIndexAt, layered?.baseIndex, layered?.startsKeyFrame], [3, 0x2a, true])
    const upper = read('VP9', Buffer.from([0xa8, 0x11, 0x02, 0x2a, 0xff]))
    assert.equal(upper?.startsKeyFrame, false, 'a higher spatial layer')
    const referring = Buffer.from([0xd8, 0x11, 0x03, 0x05, 0x07, 0xff])
    assert.equal(read('VP9', referring)?.startsKeyFrame, false)
    assert.equal(read('VP9', referring.subarray(0, 5)), undefined, 'only references')
  })

  test('of VP9 has the height of its largest spatial layer', () => {
    const sizes = [0x00, 0x50, 0x00, 0x5a, 0x01, 0x40, 0x00, 0xb4]
    const fields = read('VP9', Buffer.from([0x8a, 0x11, 0x30, ...sizes, 0xff]))
    assert.deepEqual([fields?.startsKeyFrame, fields?.height], [true, 180])
  })

  test('of H.264 has the height of its parameters, alone and among others, whole and cut off', () => {
    const parameters = payloadOf('H264', 360).subarray(3, 3 + 19)
    assert.equal(read('H264', parameters)?.height, 360)
    const other = Buffer.from([0, 2, 0x09, 0x10, 0, parameters.length])
    assert.equal(read('H264', Buffer.concat([Buffer.from([0x78]), other, parameters]))?.height, 360)
    const order = '1 1/1 0 0 2 7 8'
    const interlaced = (id: number) => bits(`103/8 77/8 0/16 ${id} 0 ${order} 2 0/1 59 33 0/3 1/1 0 0 1 1`)
    assert.equal(read('H264', interlaced(0))?.height, 1080)
    const escaped = interlaced(126)
    assert.deepEqual([...escaped.subarray(2, 5)], [0, 0, 3])
    const start = escaped.subarray(0, 4)
    assert.equal(read('H264', Buffer.concat([start, Buffer.from([3]), escaped.subarray(4)]))?.height, 1080)
    const high = Buffer.from(parameters)
    high[1] = 100
    assert.deepEqual([read('H264', high)?.startsKeyFrame, read('H264', high)?.height], [true, 0])
  })
})

suite('CODEC-2: a payload of AV1', () => {
  test('has the height of its sequence header, wherever that stands', () => {
    const header = payloadOf('AV1', 360).subarray(2, 2 + 11)
    const asks = (...parts: Buffer[]) => read('AV1', Buffer.concat(parts))?.height
    const delimiter = Buffer.from([1, 0x10])
    assert.equal(asks(Buffer.from([0x08]), delimiter, Buffer.from([header.length]), header), 360)
    assert.equal(asks(Buffer.from([0x18]), header), 360)
    assert.equal(asks(Buffer.from([0x18]), Buffer.from([0x0a, header.length - 1]), header.subarray(1)), 360)
    const size = '9/4 8/4 639/10 359/9'
    const delays = '1/1 0/21 1/1 0/4'
    const model = '1/1 9/5 0/42'
    const points = `1/1 1/5 0/12 8/5 0/1 ${delays} 0/12 3/5 ${delays}`
    const timing = bits(`0/5 1/1 1/32 1/32 1/1 5 ${model} ${points} ${size}`)
    assert.equal(asks(Buffer.from([0x18, 0x08]), timing), 360)
    const reduced = bits(`0/4 1/1 5/5 ${size}`)
    assert.equal(asks(Buffer.from([0x18, 0x08]), reduced), 360)
    assert.equal(asks(Buffer.from([0x10, 0x08]), reduced), 0, 'no new sequence')
  })
})

test('bits after the end are zeros, and a number of variable length ends there', () => {
  const reader = new BitReader(Buffer.from([0x80]))
  assert.deepEqual([reader.isSet(), reader.read(31)], [true, 0])
  assert.equal(reader.readExponential(), 2 ** 32 - 1)
})
