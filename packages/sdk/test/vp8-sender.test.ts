import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFeedback, writeMissing, writePictureLoss, writeSenderReport } from '@foyer/sdk/voice/rtcp'
import type { RtpPacket } from '@foyer/sdk/voice/rtp'
import { Vp8Sender } from '@foyer/sdk/voice/vp8-sender'
import { vp8Frame } from './vp8-frames.ts'

interface Sent {
  readonly atMs: number
  readonly packet: RtpPacket
}

/** A sender, and what it has sent. */
function open() {
  const sent: Sent[] = []
  const state = { isOpen: true, keyFrames: 0 }
  const sender = new Vp8Sender(
    7,
    (packet) => state.isOpen && sent.push({ atMs: performance.now(), packet }) > 0,
    () => {
      state.keyFrames += 1
    },
  )
  return { sender, sent, state }
}

const key = { frame: vp8Frame({ isKeyFrame: true, bytes: 1000 }), isKeyFrame: true }
const delta = { frame: vp8Frame({ bytes: 1000 }), isKeyFrame: false }

describe('a sender of pictures', () => {
  test('VIDEOBOT-2: sends a large frame eight packets at a time, the last one with the marker', async () => {
    const { sender, sent } = open()
    const frame = vp8Frame({ isKeyFrame: true, bytes: 40 * 1180 })
    assert.equal(await sender.push({ frame, isKeyFrame: true, atMs: undefined }), true)
    assert.deepEqual(
      sent.map(({ packet }) => packet.marker),
      Array.from({ length: 40 }, (_, at) => at === 39),
    )
    assert.equal(new Set(sent.map(({ packet }) => packet.timestamp)).size, 1)
    const pauses = sent.map(({ atMs }, at) => atMs - (sent[at - 1]?.atMs ?? atMs))
    const isPause = (at: number) => at > 0 && at % 8 === 0
    assert.ok(
      pauses.every((pause, at) => !isPause(at) || pause >= 4),
      pauses.join(),
    )
    const sequences = sent.map(({ packet }) => packet.sequence)
    assert.deepEqual(
      sequences,
      [...sequences.keys()].map((at) => ((sequences[0] ?? 0) + at) & 0xffff),
    )
  })

  test('VIDEOBOT-3: sends the frames of a recording at their times, and numbers them by these', async () => {
    const { sender, sent } = open()
    const times = [5000, 5040, 5100, 5110]
    await Promise.all(times.map((atMs, at) => sender.push({ ...(at === 0 ? key : delta), atMs })))
    const [first] = sent
    assert.ok(first)
    for (const [at, { atMs, packet }] of sent.entries()) {
      const due = (times[at] ?? 0) - 5000
      assert.ok(atMs - first.atMs >= due - 2, 'a frame came too early')
      assert.ok(Math.abs(packet.timestamp - first.packet.timestamp - due * 90) < 90)
    }
  })

  test('VIDEOBOT-3: after a frame that could not be sent, it takes none but a key frame, and asks for one', async () => {
    const { sender, sent, state } = open()
    const push = (timed: typeof key) => sender.push({ ...timed, atMs: undefined })
    assert.equal(await push(delta), false)
    assert.equal(state.keyFrames, 1)
    assert.deepEqual([await push(key), await push(delta)], [true, true])
    state.isOpen = false
    assert.equal(await push(delta), false)
    state.isOpen = true
    assert.deepEqual([await push(delta), await push(key), await push(delta)], [false, true, true])
    assert.equal(state.keyFrames, 1, 'it asks at most twice a second')
    const timestamps = sent.map(({ packet }) => packet.timestamp)
    assert.equal(new Set(timestamps).size, sent.length, 'two frames have one timestamp')
  })

  test('VIDEOBOT-3: what waits has at most 32 MiB, and is dropped with the picture', async () => {
    const { sender } = open()
    const frame = vp8Frame({ isKeyFrame: true, bytes: 1_000_000 })
    const waiting = Array.from({ length: 40 }, (_, at) =>
      sender.push({ frame, isKeyFrame: true, atMs: at * 1000 }),
    )
    assert.equal(await waiting.at(-1), false)
    sender.restart()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([false]))
    assert.equal(await sender.push({ ...key, atMs: undefined }), true)
  })

  test('VIDEOBOT-5: sends packets again by a report that names them, if they are not too old', async () => {
    const { sender, sent } = open()
    await sender.push({
      frame: vp8Frame({ isKeyFrame: true, bytes: 5000 }),
      isKeyFrame: true,
      atMs: undefined,
    })
    const [first, second] = sent.map(({ packet }) => packet)
    assert.ok(first && second)
    const report = Buffer.concat([
      writePictureLoss(1, 9),
      writeMissing(1, 7, [second.sequence, (first.sequence - 5) & 0xffff]),
    ])
    // The mask of the first entry names the packet after it, too.
    report.writeUInt16BE(1, report.length - 6)
    const lost: number[] = []
    sent.length = 0
    readFeedback(report, {
      missing: (ssrc, sequences) => {
        assert.equal(ssrc, 7)
        sender.resend(sequences)
      },
      keyFrameWanted: (ssrc) => lost.push(ssrc),
    })
    assert.deepEqual(
      sent.map(({ packet }) => packet.sequence),
      [second.sequence, (second.sequence + 1) & 0xffff],
    )
    assert.deepEqual(lost, [9])
  })

  test('VIDEOBOT-5: reports that are cut off or mean nothing change nothing', () => {
    const listener = { missing: () => assert.fail(), keyFrameWanted: () => assert.fail() }
    const report = writePictureLoss(1, 9)
    for (let length = 0; length < report.length; length += 1)
      readFeedback(report.subarray(0, length), listener)
    for (const bytes of [
      Buffer.alloc(40),
      Buffer.alloc(40, 0xff),
      writeSenderReport({ ssrc: 1, timestamp: 2, packets: 3, octets: 4 }, 5),
    ])
      readFeedback(bytes, listener)
  })

  test('VIDEOBOT-8: says what time its stream has reached', async () => {
    const { sender, sent } = open()
    assert.equal(sender.sent(performance.now()), undefined)
    await sender.push({ ...key, atMs: 0 })
    const [first] = sent
    const state = sender.sent((first?.atMs ?? 0) + 1000)
    assert.ok(first && state)
    assert.ok(Math.abs(state.timestamp - first.packet.timestamp - 90_000) < 900)
    assert.deepEqual([state.packets, state.octets], [1, 1004])
    const report = writeSenderReport(state, Date.UTC(2026, 0, 1) + 500)
    assert.equal(report.readUInt32BE(8), Date.UTC(2026, 0, 1) / 1000 + 2_208_988_800)
    assert.equal(report.readUInt32BE(12), 2 ** 31)
  })
})
