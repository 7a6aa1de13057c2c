import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LATENCY_PARTS, quantileMs } from './latency.ts'

const counts = (...given: number[]) => [...given, ...new Array<number>(LATENCY_PARTS - given.length).fill(0)]

test('CONSOLE-2: percentiles are interpolated within the duration that they fall into', () => {
  assert.equal(quantileMs(counts(), 0.5), null)
  assert.equal(quantileMs(counts(10), 0.5), 0.5)
  assert.equal(quantileMs(counts(0, 10), 0.5), 1.75)
  assert.equal(quantileMs(counts(98, 0, 0, 2), 0.99), 7.5)
  assert.equal(quantileMs([...counts().slice(1), 3], 0.99), 5000)
})

test('CONSOLE-2: the query that sums the samples has as many durations as the metric', () => {
  assert.equal(LATENCY_PARTS, 13)
})
