import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { msBetween, readSendTime, withExtension, writeSendTime, writeSequence } from './send-time.ts'

function packet(): Buffer {
  const bytes = Buffer.alloc(12 + 30, 7)
  bytes[0] = 0xa0
  bytes[1] = 96
  return bytes
}

suite('BUDGET-3: the time of sending in a packet', () => {
  test('is read as it is written, and the rest of the packet stays', () => {
    const original = packet()
    const stamped = withExtension(original)
    writeSendTime(stamped, 3, 1500)
    assert.equal(readSendTime(stamped, 3), 1.5 * 2 ** 18)
    assert.equal(readSendTime(stamped, 4), undefined)
    assert.equal(stamped[0], 0xb0, 'with extensions, and with padding as before')
    assert.deepEqual(stamped.subarray(1, 12), original.subarray(1, 12))
    assert.deepEqual(stamped.subarray(20), original.subarray(12))
  })

  test('gives way to a number for a client that reports arrivals', () => {
    const numbered = withExtension(packet())
    writeSequence(numbered, 5, 0xfedc)
    assert.deepEqual([...numbered.subarray(12, 20)], [0xbe, 0xde, 0, 1, 0x51, 0xfe, 0xdc, 0])
    assert.equal(readSendTime(numbered, 5), undefined)
  })

  test('wraps around after 64 seconds', () => {
    const [early, late] = [withExtension(packet()), withExtension(packet())]
    writeSendTime(early, 14, 63_999)
    writeSendTime(late, 14, 64_001)
    const [from, to] = [readSendTime(early, 14) ?? 0, readSendTime(late, 14) ?? 0]
    assert.ok(Math.abs(msBetween(from, to) - 2) < 0.01)
    assert.ok(Math.abs(msBetween(to, from) + 2) < 0.01)
  })

  test('is found after other extensions and padding', () => {
    const bytes = Buffer.concat([packet(), Buffer.alloc(12)])
    bytes[0] = 0x90
    bytes.writeUInt32BE(0xbe_de_00_03, 12)
    Buffer.from([0x10, 0x55, 0x00, 0x21, 1, 2, 0x32, 0, 1, 0, 0x00, 0x00]).copy(bytes, 16)
    assert.equal(readSendTime(bytes, 3), 256)
  })

  test('is not read past the end of a malformed packet', () => {
    const whole = withExtension(packet())
    writeSendTime(whole, 3, 1500)
    for (let length = 0; length < 20; length += 1)
      assert.equal(readSendTime(whole.subarray(0, length), 3), undefined)
    const wrong = Buffer.from(whole)
    wrong.writeUInt16BE(0xffff, 14)
    wrong[16] = 0x1f
    assert.equal(readSendTime(wrong, 3), undefined)
  })
})
