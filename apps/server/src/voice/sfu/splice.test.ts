import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RtpPacket } from './rtp-packet.ts'
import { Splice } from './splice.ts'

const FRAME = { ms: 20, ticks: 960 }

suite('SFU-4: the stream of a slot', () => {
  test('keeps its numbering when the speaker changes', () => {
    const slot = new Slot()
    const ada = new Speaker({ sequence: 7, timestamp: 5_000_000 })
    const ben = new Speaker({ sequence: 60_000, timestamp: 12 })
    const sent = [slot.take(ada.next()), slot.take(ada.next())]
    slot.splice.restart()
    sent.push(slot.take(ben.next()), slot.take(ben.next()))
    assert.deepEqual(stepsOf(sent), [
      { sequence: 1, timestamp: FRAME.ticks },
      { sequence: 1, timestamp: FRAME.ticks },
      { sequence: 1, timestamp: FRAME.ticks },
    ])
    assert.deepEqual(
      sent.map(({ marker }) => marker),
      [true, false, true, false],
      'the marker tells where a talk begins',
    )
  })

  test('continues its time while nobody speaks', () => {
    const slot = new Slot()
    const first = slot.take(new Speaker({ sequence: 1, timestamp: 1 }).next())
    slot.splice.restart()
    slot.nowMs += 5000
    const second = slot.take(new Speaker({ sequence: 900, timestamp: 900 }).next())
    assert.deepEqual(stepsOf([first, second]), [{ sequence: 1, timestamp: (5000 + FRAME.ms) * 48 }])
  })

  test('has the listener’s payload type and one SSRC', () => {
    const slot = new Slot()
    const sent = slot.take(new Speaker({ sequence: 1, timestamp: 1 }).next())
    assert.deepEqual([sent.payloadType, sent.ssrc], [109, 42])
    assert.deepEqual(sent.payload, Buffer.from('opus'))
  })

  test('keeps the loss and order of its sender', () => {
    const slot = new Slot()
    const ada = new Speaker({ sequence: 65_530, timestamp: 2 ** 32 - 3000 })
    const packets = Array.from({ length: 12 }, () => ada.next())
    const order = [0, 1, 3, 2, 6, 7, 8, 11]
    const sent = order.map((at) => slot.take(packets[at]))
    const first = sent[0]?.sequence ?? 0
    assert.deepEqual(
      sent.map(({ sequence }) => (sequence - first) & 0xffff),
      order,
    )
  })

  test('continues by one when the sender restarts', () => {
    const slot = new Slot()
    const sent = [
      slot.take(new Speaker({ sequence: 10, timestamp: 10 }).next()),
      slot.take(new Speaker({ sequence: 40_000, timestamp: 10 }).next()),
      slot.take(new Speaker({ sequence: 3000, timestamp: 10 }).next()),
    ]
    assert.deepEqual(
      stepsOf(sent).map(({ sequence }) => sequence),
      [1, 1],
    )
  })

  test('ignores packets that would be taken for the previous speaker’s', () => {
    const slot = new Slot()
    const ada = new Speaker({ sequence: 100, timestamp: 100 })
    const [late, first] = [ada.next(), ada.next()]
    slot.take(new Speaker({ sequence: 1, timestamp: 1 }).next())
    slot.splice.restart()
    slot.take(first)
    assert.equal(slot.splice.write(parsed(late), slot.nowMs), false)
    assert.equal(slot.splice.write(parsed(ada.next()), slot.nowMs), true)
  })

  test('stays correct for hours', () => {
    const slot = new Slot()
    const ada = new Speaker({ sequence: 0, timestamp: 0 })
    const sent = Array.from({ length: 100_000 }, () => slot.take(ada.next()))
    assert.ok(stepsOf(sent).every(({ sequence, timestamp }) => sequence === 1 && timestamp === FRAME.ticks))
  })
})

/** Makes the packets that a client sends. */
class Speaker {
  #sequence: number
  #timestamp: number

  constructor({ sequence, timestamp }: { sequence: number; timestamp: number }) {
    this.#sequence = sequence
    this.#timestamp = timestamp
  }

  next(): Buffer {
    const packet = Buffer.concat([Buffer.from([0x80, 111]), Buffer.alloc(10), Buffer.from('opus')])
    packet.writeUInt16BE(this.#sequence, 2)
    packet.writeUInt32BE(this.#timestamp, 4)
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#timestamp = (this.#timestamp + FRAME.ticks) % 2 ** 32
    return packet
  }
}

/** A listener's slot, and what comes out of it: a packet each 20 ms. */
class Slot {
  readonly splice = new Splice({ ssrc: 42, payloadType: 109, sequence: 65_534, timestamp: 2 ** 32 - 1000 })
  nowMs = 1000

  take(received: Buffer | undefined) {
    const packet = parsed(received)
    assert.ok(this.splice.write(packet, this.nowMs), 'it is forwarded')
    this.nowMs += FRAME.ms
    const { bytes } = packet
    return {
      marker: (bytes[1] ?? 0) > 127,
      payloadType: (bytes[1] ?? 0) & 127,
      sequence: bytes.readUInt16BE(2),
      timestamp: bytes.readUInt32BE(4),
      ssrc: bytes.readUInt32BE(8),
      payload: bytes.subarray(12),
    }
  }
}

function parsed(received: Buffer | undefined): RtpPacket {
  const packet = new RtpPacket()
  assert.ok(received && packet.read(Buffer.from(received), undefined))
  return packet
}

/** From each packet to the next. */
function stepsOf(sent: readonly { sequence: number; timestamp: number }[]) {
  return sent.slice(1).map(({ sequence, timestamp }, at) => ({
    sequence: (sequence - (sent[at]?.sequence ?? 0)) & 0xffff,
    timestamp: (timestamp - (sent[at]?.timestamp ?? 0)) >>> 0,
  }))
}
