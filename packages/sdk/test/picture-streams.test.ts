import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PictureStreams, type UserPicture } from '@foyer/sdk/voice/picture-streams'
import type { RtpPacket } from '@foyer/sdk/voice/rtp'
import { packetsOf, vp8Frame } from './vp8-frames.ts'

const SSRC = 5
const MIRA: UserPicture = { user_id: 'mira', source: 'camera' }
const JONAS: UserPicture = { user_id: 'jonas', source: 'camera' }
const BYTES = 3000
const PACKETS_OF_FRAME = Math.ceil(BYTES / 1180)

/** A key frame and a further one of each picture, in packets that follow each other in the one stream of the slot. */
const MIRAS = packetsOf([vp8Frame({ isKeyFrame: true, fill: 1 }), vp8Frame({ fill: 2 })], 65_530)
const FIRST_OF_JONAS = (65_530 + MIRAS.length) & 0xffff
const JONAS_ = packetsOf([vp8Frame({ isKeyFrame: true, fill: 3 }), vp8Frame({ fill: 4 })], FIRST_OF_JONAS)

/** A bot with one slot, and the frames that it has got, like `mira 1`. */
class Slot {
  readonly frames: string[] = []
  readonly streams = new PictureStreams([SSRC], ({ user_id }, { data }) => {
    this.frames.push(`${user_id} ${data.at(-1)}`)
  })
  nowMs = 0

  constructor() {
    this.streams.watch([MIRA, JONAS])
  }

  take(packets: readonly RtpPacket[]): void {
    for (const packet of packets) this.streams.receive(packet, this.nowMs)
  }

  tell(picture: UserPicture | undefined, first_sequence?: number): void {
    const { user_id = null, source = null } = picture ?? {}
    const first = first_sequence === undefined ? {} : { first_sequence }
    this.streams.assign([{ slot: 0, user_id, source, ...first }])
  }

  /** Lets a second pass. @returns how many reports were sent in it */
  pass(): number {
    let count = 0
    for (const end = this.nowMs + 1000; this.nowMs < end; this.nowMs += 25)
      count += this.streams.requests(1, this.nowMs).length
    return count
  }
}

describe('VIDEOBOT-10: frames of two pictures that follow each other in a slot', () => {
  test('are kept apart if packets of the first come after the signal of the second', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    const [late, ...others] = [MIRAS.slice(PACKETS_OF_FRAME), MIRAS.slice(0, PACKETS_OF_FRAME)]
    slot.take(others.flat())
    slot.tell(JONAS, FIRST_OF_JONAS)
    slot.take(late ?? [])
    slot.take(MIRAS)
    slot.take(JONAS_)
    assert.deepEqual(slot.frames, ['mira 1', 'jonas 3', 'jonas 4'])
    assert.equal(slot.pass(), 0, 'nothing of the first picture is requested any more')
  })

  test('are kept apart if a late key frame of the first comes while the slot is free', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    slot.tell(undefined, FIRST_OF_JONAS)
    slot.take(MIRAS)
    slot.tell(JONAS, FIRST_OF_JONAS)
    assert.deepEqual(slot.frames, [])
    slot.take(JONAS_)
    assert.deepEqual(slot.frames, ['jonas 3', 'jonas 4'])
  })

  test('are delivered without another key frame if those of the second come before its signal', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    slot.take(MIRAS)
    slot.streams.watch([JONAS])
    slot.take(JONAS_)
    assert.deepEqual(slot.frames, ['mira 1', 'mira 2'], 'nothing of what is not watched')
    slot.tell(JONAS, FIRST_OF_JONAS)
    assert.deepEqual(slot.frames.slice(2), ['jonas 3', 'jonas 4'])
    slot.take(packetsOf([vp8Frame({ fill: 5 })], FIRST_OF_JONAS + JONAS_.length))
    assert.deepEqual([slot.frames.at(-1), slot.pass()], ['jonas 5', 0])
  })

  test('begin with a key frame if a user begins a second picture in the slot of the first', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    slot.take(MIRAS.slice(0, -1))
    slot.tell(MIRA, FIRST_OF_JONAS)
    slot.take(JONAS_.slice(PACKETS_OF_FRAME))
    assert.deepEqual(slot.frames, ['mira 1'])
    slot.take(JONAS_.slice(0, PACKETS_OF_FRAME))
    assert.deepEqual(slot.frames, ['mira 1', 'mira 3', 'mira 4'])
  })

  test('go on if a signal is repeated, and if it comes after sequences have turned', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    slot.take(MIRAS)
    slot.tell(MIRA, 65_530)
    slot.take(packetsOf([vp8Frame({ fill: 3 })], FIRST_OF_JONAS))
    assert.deepEqual(slot.frames, ['mira 1', 'mira 2', 'mira 3'])
    slot.tell(JONAS, (FIRST_OF_JONAS + 30_000) & 0xffff)
    slot.take(packetsOf([vp8Frame({ isKeyFrame: true, fill: 4 })], FIRST_OF_JONAS + PACKETS_OF_FRAME))
    assert.equal(slot.frames.at(-1), 'jonas 4')
  })

  test('begin with a key frame once a picture is watched again', () => {
    const slot = new Slot()
    slot.tell(MIRA, 65_530)
    slot.take(MIRAS.slice(0, PACKETS_OF_FRAME))
    slot.streams.watch([])
    slot.take(MIRAS.slice(PACKETS_OF_FRAME))
    slot.streams.watch([MIRA])
    slot.take(packetsOf([vp8Frame({ fill: 3 }), vp8Frame({ isKeyFrame: true, fill: 4 })], FIRST_OF_JONAS))
    assert.deepEqual(slot.frames, ['mira 1', 'mira 4'])
  })

  test('of a server that names no sequences are told apart by key frames, as before', () => {
    const slot = new Slot()
    slot.take(MIRAS)
    slot.tell(MIRA)
    assert.deepEqual(slot.frames, ['mira 1', 'mira 2'])
    slot.tell(JONAS)
    slot.take(JONAS_)
    assert.deepEqual(slot.frames.slice(2), ['jonas 3', 'jonas 4'])
  })
})
