import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BAR_COUNT, readWaveform, waveformOf, waveformRange, waveformTail } from './waveform.ts'

const SECOND_MS = 1000

test('WEB-21: a waveform has the loudest level of each part, and the loudest part has the full height', () => {
  const samples = [
    { atMs: 0, level: 0.1 },
    { atMs: 1, level: 0.4 },
    { atMs: SECOND_MS / 2, level: 0.2 },
    // The last sample may come after the end.
    { atMs: SECOND_MS + 20, level: 0.3 },
  ]
  const { bars, lengthMs } = waveformOf(samples, SECOND_MS)
  assert.deepEqual([bars.length, lengthMs], [BAR_COUNT, SECOND_MS])
  assert.deepEqual([bars[0], bars[BAR_COUNT / 2], bars.at(-1)], [255, 128, 191])
  assert.equal(bars.filter((bar) => bar > 0).length, 3)
  assert.deepEqual(new Set(waveformOf([{ atMs: 0, level: 0 }], SECOND_MS).bars), new Set([0]))
})

test('WEB-21: a recording carries its waveform at its end, in an element that players skip', () => {
  const waveform = { bars: Array.from({ length: BAR_COUNT }, (_, index) => index * 4), lengthMs: 901_234 }
  for (const ending of ['m4a', 'ogg', 'webm']) {
    const tail = waveformTail(waveform, ending)
    const file = new Uint8Array([...new TextEncoder().encode('sound'), ...tail])
    assert.deepEqual(readWaveform(file), waveform)
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(waveformRange(file.length) ?? '') ?? []
    assert.deepEqual(readWaveform(file.slice(Number(from), Number(to) + 1)), waveform)
  }
  const box = waveformTail(waveform, 'm4a')
  assert.equal(new DataView(box.buffer).getUint32(0), box.length)
  const element = waveformTail(waveform, 'webm')
  assert.deepEqual([element[0], element[1]], [0xec, 0x80 + element.length - 2])
})

test('WEB-21: other files have no waveform', () => {
  for (const size of [0, 5, 76, 5000]) assert.equal(readWaveform(new Uint8Array(size).fill(0x66)), null)
  assert.equal(waveformRange(76), null)
})
