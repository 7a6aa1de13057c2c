import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SimulatedLine } from '#test/voice/simulated-line.ts'
import { withExtension, writeSendTime } from './send-time.ts'
import { Uplink } from './uplink.ts'

const EXTENSION = 3
const MAX_BPS = 6_500_000
const PAYLOAD = Buffer.alloc(1112, 0x80)

/** A client that sends as much as the last report permits, spread over time as browsers do. */
class Sender {
  nowMs = 1000
  sentBps: number
  readonly uplink: Uplink
  readonly line: SimulatedLine
  readonly #jitterMs: number
  #reportedAt = 0
  #dueAt = 1000
  #sent = 0
  #lost = 0

  constructor(line: SimulatedLine, { hasSendTimes = true, jitterMs = 2 } = {}) {
    this.line = line
    this.uplink = new Uplink(hasSendTimes ? EXTENSION : undefined, MAX_BPS)
    this.sentBps = this.uplink.report()
    this.#jitterMs = jitterMs
  }

  /** @param mostBps that it has to send */
  run(seconds: number, mostBps = MAX_BPS): void {
    const end = this.nowMs + seconds * 1000
    for (; this.nowMs < end; this.nowMs += 1) {
      for (const { packet, atMs } of this.line.arrived(this.nowMs)) this.uplink.receive(packet, atMs)
      this.#report()
      for (; this.#dueAt <= this.nowMs; this.#dueAt += 9_000_000 / Math.min(this.sentBps, mostBps))
        this.#send()
    }
  }

  /** Returns the seconds until the client was told to send no more than this. */
  secondsUntil(bps: number): number {
    const beganAt = this.nowMs
    while (this.sentBps > bps && this.nowMs - beganAt < 10_000) this.run(0.01)
    return (this.nowMs - beganAt) / 1000
  }

  #send(): void {
    const packet = withExtension(PAYLOAD)
    writeSendTime(packet, EXTENSION, this.#dueAt)
    this.#sent += 1
    if (!this.line.send(packet, this.nowMs, this.#jitterMs)) this.#lost += 1
  }

  #report(): void {
    if (this.nowMs - this.#reportedAt >= 1000) {
      this.uplink.receiveLoss(this.#sent === 0 ? 0 : this.#lost / this.#sent, this.nowMs)
      this.#sent = 0
      this.#lost = 0
      this.#reportedAt = this.nowMs
      this.sentBps = this.uplink.report()
    }
    if (this.uplink.hasFallen) this.sentBps = this.uplink.report()
  }
}

suite('BUDGET-2: the rate that a client may send', () => {
  for (const bps of [500_000, 1_000_000, 2_500_000, 5_000_000]) {
    test(`fits a line of ${bps / 1000} kbit/s within six seconds, and stays there`, () => {
      const sender = new Sender(new SimulatedLine(bps))
      sender.run(6)
      for (let second = 6; second < 40; second += 1) {
        assert.ok(sender.sentBps > bps * 0.6, `${sender.sentBps} after ${second} s`)
        assert.ok(sender.sentBps < bps * 1.2, `${sender.sentBps} after ${second} s`)
        sender.run(1)
      }
    })
  }

  test('falls within a second and a half when the line becomes slower', () => {
    const sender = new Sender(new SimulatedLine(4_000_000))
    sender.run(20)
    sender.line.bps = 1_000_000
    const seconds = sender.secondsUntil(1_000_000)
    assert.ok(seconds <= 1.5, `${seconds} s`)
  })

  test('rises again when the line becomes faster', () => {
    const sender = new Sender(new SimulatedLine(1_000_000))
    sender.run(20)
    sender.line.bps = 4_000_000
    sender.run(60)
    assert.ok(sender.sentBps > 3_000_000, String(sender.sentBps))
  })

  test('stays at its highest on a line that carries all, however its packets jitter', () => {
    const sender = new Sender(new SimulatedLine(50_000_000), { jitterMs: 15 })
    sender.run(30, 2_000_000)
    assert.equal(sender.sentBps, MAX_BPS)
  })

  test('is not lowered by a pause', () => {
    const sender = new Sender(new SimulatedLine(2_000_000))
    sender.run(20)
    const before = sender.sentBps
    sender.run(10, 20_000)
    assert.ok(sender.sentBps >= before * 0.95, `${before}, then ${sender.sentBps}`)
  })

  test('is lowered by losses, also for a client that writes no time of sending', () => {
    const sender = new Sender(new SimulatedLine(1_000_000, { queueMs: 50 }), { hasSendTimes: false })
    assert.equal(sender.sentBps, MAX_BPS)
    sender.run(10)
    assert.ok(sender.sentBps < 1_200_000, String(sender.sentBps))
    sender.line.bps = 50_000_000
    sender.run(40)
    assert.equal(sender.sentBps, MAX_BPS, 'and rises again')
  })
})
