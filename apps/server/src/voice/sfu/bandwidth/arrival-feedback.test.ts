import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ReportingViewer } from '#test/voice/reporting-viewer.ts'
import { ReferenceTime, readArrivals } from './arrival-feedback.ts'
import { DownlinkEstimate } from './downlink-estimate.ts'
import { withExtension, writeSequence } from './send-time.ts'

const EXTENSION = 3

function numbered(sequence: number): Buffer {
  const packet = withExtension(Buffer.alloc(100, 0x80))
  writeSequence(packet, EXTENSION, sequence)
  return packet
}

/** A report of these packets, each a millisecond after the one before. */
function reportOf(sequences: readonly number[]): Buffer {
  const viewer = new ReportingViewer(EXTENSION)
  for (const [at, sequence] of sequences.entries()) viewer.receive(numbered(sequence), 64_000 + at)
  return viewer.report(65_000) ?? Buffer.alloc(0)
}

suite('BUDGET-5: a report of arrivals', () => {
  test('is read, with what is missing, across the turn of the numbers', () => {
    assert.deepEqual(readArrivals(reportOf([65_534, 65_535, 2, 3]), new ReferenceTime()), [
      { sequence: 65_534, arrivedMs: 64_000 },
      { sequence: 65_535, arrivedMs: 64_001 },
      { sequence: 0, arrivedMs: undefined },
      { sequence: 1, arrivedMs: undefined },
      { sequence: 2, arrivedMs: 64_002 },
      { sequence: 3, arrivedMs: 64_003 },
    ])
  })

  test('may have runs, and lists of one bit, with times of one byte', () => {
    const report = Buffer.alloc(32)
    report[0] = 0x8f
    report[1] = 205
    report.writeUInt16BE(7, 12)
    report.writeUInt16BE(6, 14)
    report.writeUIntBE(1, 16, 3)
    report.writeUInt16BE(0x2002, 20)
    report.writeUInt16BE(0b10_1010_0000_0000_00, 22)
    Buffer.from([4, 8, 12, 16]).copy(report, 24)
    assert.deepEqual(
      readArrivals(report, new ReferenceTime())?.map(({ arrivedMs }) => arrivedMs),
      [65, 67, 70, undefined, 74, undefined],
    )
  })

  test('has a time that goes on after 12 days', () => {
    const reference = new ReferenceTime()
    const last = 2 ** 24 - 1
    assert.deepEqual(
      [last - 1, last, 0, 1, last].map((ticks) => reference.ms(ticks) / 64),
      [last - 1, last, last + 1, last + 2, last],
    )
  })

  test('that is cut off is read as far as it goes', () => {
    const report = reportOf(Array.from({ length: 60 }, (_, at) => at))
    for (let length = 0; length <= report.length; length += 1)
      assert.ok((readArrivals(report.subarray(0, length), new ReferenceTime())?.length ?? 0) <= 60)
    const endless = Buffer.from(report)
    endless.writeUInt16BE(0xffff, 14)
    endless.writeUInt16BE(0x1fff, 20)
    assert.ok((readArrivals(endless, new ReferenceTime())?.length ?? 0) <= 3000)
    assert.equal(readArrivals(Buffer.alloc(40), new ReferenceTime()), undefined)
  })

  test('counts once, and only for packets that were sent', () => {
    const losses: number[] = []
    const bandwidths: number[] = []
    const estimate = new DownlinkEstimate({
      onLoss: (share) => losses.push(share),
      onBandwidth: ({ bps }) => bandwidths.push(bps),
      onProbe: () => undefined,
    })
    for (let at = 1; at <= 30; at += 1) estimate.send(1000, at)
    estimate.receive(reportOf([1, 30]), 0)
    for (let at = 0; at < 5; at += 1) estimate.receive(reportOf([1, 2, 3, 29, 30, 9000]), 1000 + at)
    assert.deepEqual(losses, [28 / 30])
    assert.deepEqual(bandwidths, [])
  })
})
