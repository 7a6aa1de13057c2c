import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAgo, formatWait } from './ago.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

test('a time is given in its largest full unit', () => {
  const cases = [
    ['2026-03-01T11:59:00.000Z', 1, 'minute'],
    ['2026-03-01T11:00:01.000Z', 59, 'minute'],
    ['2026-03-01T09:00:00.000Z', 3, 'hour'],
    ['2026-02-28T12:00:00.000Z', 1, 'day'],
    ['2026-02-20T12:00:00.000Z', 1, 'week'],
    ['2024-02-20T12:00:00.000Z', 2, 'year'],
  ] as const
  for (const [time, count, unit] of cases) assert.equal(formatAgo(time, now), relative.format(-count, unit))
})

test('the first minute is "just now"', () => {
  assert.equal(formatAgo('2026-03-01T11:59:01.000Z', now), 'just now')
})

test('a clock behind the server puts nothing in the future', () => {
  assert.equal(formatAgo('2026-03-01T12:05:00.000Z', now), 'just now')
})

test('waiting times are rounded up', () => {
  const cases = [
    [39_200, 40, 'second'],
    [60_000, 1, 'minute'],
    [299_001, 5, 'minute'],
    [5_400_000, 2, 'hour'],
  ] as const
  for (const [ms, count, unit] of cases) assert.equal(formatWait(ms), relative.format(count, unit))
})
