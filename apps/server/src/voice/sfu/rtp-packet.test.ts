import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isRtcp, RtpPacket } from './rtp-packet.ts'

const SILENCE = 127
const PAYLOAD = Buffer.from('a frame of sound')

suite('SFU-9: a packet', () => {
  test('is forwarded with its payload only', () => {
    const packet = read(
      rtp({
        csrcs: 2,
        extension: [0xbe, 0xde, 0, 1, 0x10, 30, 0, 0],
        padding: [0, 0, 0, 4],
        payload: PAYLOAD,
      }),
    )
    assert.deepEqual(packet?.bytes.subarray(12), PAYLOAD)
    assert.equal(packet?.bytes.length, 12 + PAYLOAD.length)
  })

  test('has its level read from any extension', () => {
    const others = [0xbe, 0xde, 0, 3, 0x22, 9, 9, 9, 0, 0, 0x31, 8, 8, 0x10, 0x80 | 33, 0]
    assert.equal(read(rtp({ extension: others, payload: PAYLOAD }))?.level, 33)
  })

  test('is silent without a level; from clients that send none, it is loud if it is longer than silence', () => {
    assert.equal(read(rtp({ payload: PAYLOAD }))?.level, SILENCE)
    const elsewhere = [0xbe, 0xde, 0, 1, 0x20, 30, 0, 0]
    assert.equal(read(rtp({ extension: elsewhere, payload: PAYLOAD }))?.level, SILENCE)
    assert.equal(read(rtp({ payload: PAYLOAD }), { tellsLevel: false })?.level, 0)
    assert.equal(
      read(rtp({ payload: Buffer.from([0xf8, 0xff, 0xfe]) }), { tellsLevel: false })?.level,
      SILENCE,
    )
  })

  test('is rejected if it is truncated, empty, too long, of another version, or has a wrong length', () => {
    const whole = rtp({ extension: [0xbe, 0xde, 0, 1, 0x10, 30, 0, 0], payload: Buffer.from([1]) })
    assert.ok(read(whole))
    for (let length = 0; length < whole.length; length += 1) {
      assert.equal(read(whole.subarray(0, length)), undefined, `${length} bytes of it`)
    }
    const spoilt = [
      rtp({ payload: Buffer.alloc(1289) }),
      rtp({ payload: PAYLOAD, version: 1 }),
      rtp({ csrcs: 15, payload: PAYLOAD }),
      rtp({ extension: [0xbe, 0xde, 255, 255], payload: PAYLOAD }),
      rtp({ padding: [200], payload: PAYLOAD }),
    ]
    assert.deepEqual(
      spoilt.map((bytes) => read(bytes)),
      spoilt.map(() => undefined),
    )
    assert.ok(read(rtp({ payload: Buffer.alloc(1288) })))
  })

  test('is parsed without harm, whatever its bytes are', () => {
    for (let at = 0; at < 20_000; at += 1) {
      const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(at % 64)))
      if (bytes[0] !== undefined) bytes[0] = 0x80 | (bytes[0] & 0x3f)
      const packet = read(bytes)
      assert.ok(packet === undefined || packet.bytes.length > 12)
    }
  })
})

test('SFU-8: reports and audio are distinguished by their payload type', () => {
  const types = Array.from({ length: 256 }, (_, second) => second).filter((second) =>
    isRtcp(Buffer.from([0x80, second])),
  )
  assert.deepEqual([types[0], types[31], types[32], types.at(-1)], [64, 95, 192, 223])
})

interface Parts {
  version?: number
  csrcs?: number
  extension?: readonly number[]
  padding?: readonly number[]
  payload: Buffer
}

function rtp({ version = 2, csrcs = 0, extension = [], padding = [], payload }: Parts): Buffer {
  const first = (version << 6) | (padding.length > 0 ? 0x20 : 0) | (extension.length > 0 ? 0x10 : 0) | csrcs
  const head = Buffer.concat([Buffer.from([first, 111]), Buffer.alloc(10)])
  const contributors = Buffer.alloc(csrcs === 15 ? 0 : csrcs * 4, 7)
  return Buffer.concat([head, contributors, Buffer.from(extension), payload, Buffer.from(padding)])
}

function read(bytes: Buffer, { tellsLevel = true } = {}): RtpPacket | undefined {
  const packet = new RtpPacket()
  return packet.read(Buffer.from(bytes), tellsLevel ? 1 : undefined) ? packet : undefined
}
