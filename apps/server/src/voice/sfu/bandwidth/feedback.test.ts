import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { writeBandwidth, writePictureLoss, writeReceiverReport } from '../video/rtcp.ts'
import { ReferenceTime, readArrivals } from './arrival-feedback.ts'
import { DownlinkBudget } from './downlink-budget.ts'
import { DownlinkEstimate } from './downlink-estimate.ts'
import { LossMeter } from './loss-meter.ts'
import { readReceiverFeedback } from './receiver-feedback.ts'

const BLOCK = { ssrc: 7, fractionLost: 0, lost: 3, highestSequence: 100, jitter: 0, lastReport: 0, delay: 0 }

suite('BUDGET-5: what a client says about its line', () => {
  test('is read from any part of its report', () => {
    const report = Buffer.concat([
      writeReceiverReport(1, [BLOCK, { ...BLOCK, ssrc: 8, highestSequence: 2 ** 32 - 1 }]),
      writePictureLoss(1, 7),
      writeBandwidth(1, 5_000_000, [7, 8]),
    ])
    const { bandwidthBps, blocks } = readReceiverFeedback(report)
    assert.ok(Math.abs((bandwidthBps ?? 0) - 5_000_000) < 100)
    assert.deepEqual(
      blocks.map(({ ssrc, lost, highestSequence }) => [ssrc, lost, highestSequence]),
      [
        [7, 3, 100],
        [8, 3, 2 ** 32 - 1],
      ],
    )
  })

  test('is ignored where it is cut off or malformed', () => {
    const report = Buffer.concat([writeReceiverReport(1, [BLOCK]), writeBandwidth(1, 300_000, [7])])
    for (let length = 0; length < report.length; length += 1) {
      const { bandwidthBps } = readReceiverFeedback(report.subarray(0, length))
      assert.equal(bandwidthBps, undefined)
    }
    const many = Buffer.from(report)
    many[0] = 0x9f
    assert.equal(readReceiverFeedback(many).blocks.length, 1, 'it has room for one of 31')
    const other = writeBandwidth(1, 300_000, [7])
    other.write('XXXX', 12, 'latin1')
    assert.equal(readReceiverFeedback(other).bandwidthBps, undefined)
  })

  test('of losses counts for its own streams, once there are enough packets', () => {
    const losses = new LossMeter((ssrc) => ssrc === 7)
    const block = (highestSequence: number, lost: number, ssrc = 7) => ({ ssrc, lost, highestSequence })
    assert.equal(losses.receive([block(100, 0)], 0), undefined)
    assert.equal(losses.receive([block(110, 5)], 1000), undefined, 'ten packets say little')
    assert.equal(losses.receive([block(200, 10), block(5000, 4000, 8)], 2000), 0.1)
    assert.equal(losses.receive([block(300, 10)], 3000), 0)
    assert.equal(losses.receive([block(5, 0)], 4000), undefined, 'a stream that begins again')
  })

  test('of losses counts once it is no chance: 5 percent at random are over a tenth in some seconds', () => {
    const budgetAfter = (lostOf50: (second: number) => number, seconds: number) => {
      const losses = new LossMeter(() => true)
      const budget = new DownlinkBudget(false)
      let lost = 0
      for (let second = 0; second <= seconds; second += 1) {
        lost += lostOf50(second)
        const share = losses.receive([{ ssrc: 7, lost, highestSequence: 50 * second }], 1000 * second)
        if (share !== undefined) budget.receiveLoss(share, 500_000, 1000 * second)
      }
      return budget.picturesBps(0, 1000 * seconds)
    }
    assert.equal(
      budgetAfter((second) => (second % 20 === 9 ? 8 : 2), 600),
      Number.POSITIVE_INFINITY,
    )
    assert.ok(budgetAfter(() => 8, 4) < 500_000, 'the same share in every second limits')
    assert.ok(budgetAfter(() => 15, 1) < 500_000, 'a large share limits at once')
  })

  test('never gives a budget below what keeps a line measured, or without an end', () => {
    const budget = new DownlinkBudget(true)
    const sent = { sentBps: 100_000, latestBps: 100_000 }
    budget.receiveBandwidth({ bps: 0, isCertain: false }, sent, 0)
    assert.equal(budget.picturesBps(8, 5000), 50_000)
    budget.receiveBandwidth({ bps: Number.MAX_VALUE, isCertain: false }, sent, 10_000)
    assert.ok(budget.picturesBps(0, 20_000) <= 31_000_000)
  })

  test('begins above all sounds that are heard, so that pictures are tried beside them', () => {
    const budget = new DownlinkBudget(true)
    assert.equal(budget.picturesBps(8, 0), 250_000)
  })

  test('is not needed: without estimates only losses limit a viewer', () => {
    const budget = new DownlinkBudget(false)
    assert.equal(budget.picturesBps(8, 0), Number.POSITIVE_INFINITY)
    budget.receiveBandwidth(
      { bps: 300_000, isCertain: false },
      { sentBps: 1_000_000, latestBps: 1_000_000 },
      0,
    )
    assert.equal(budget.picturesBps(0, 2000), Number.POSITIVE_INFINITY)
    budget.receiveLoss(0.5, 2_000_000, 3000)
    assert.equal(budget.picturesBps(0, 3000), 1_000_000)
  })
})

test('BUDGET-5: short reports that claim thousands of packets are read up to a limit', () => {
  const part = Buffer.alloc(24)
  part[0] = 0x8f
  part[1] = 205
  part.writeUInt16BE(3000, 14)
  part.writeUInt16BE(0x1fff, 20)
  assert.equal(readArrivals(part, new ReferenceTime(), 5)?.length, 5)
  const estimate = new DownlinkEstimate({
    onBandwidth: () => undefined,
    onLoss: () => undefined,
    onProbe: () => undefined,
  })
  const read = Array.from({ length: 20 }, () => estimate.receive(part, 1000)).reduce(
    (sum, count) => sum + count,
  )
  assert.equal(read, 10_000)
  assert.equal(estimate.receive(part, 1100), 1000)
})
