import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRemaining } from './remaining.ts'

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

test('the remaining time is in days, hours or minutes, and at least one minute', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const cases = [
    ['2026-03-08T11:59:58.000Z', 7, 'day'],
    ['2026-03-01T15:10:00.000Z', 3, 'hour'],
    ['2026-03-01T12:20:10.000Z', 20, 'minute'],
    ['2026-03-01T12:00:05.000Z', 1, 'minute'],
    ['2026-03-01T11:59:00.000Z', 1, 'minute'],
  ] as const
  for (const [time, count, unit] of cases)
    assert.equal(formatRemaining(time, now), relative.format(count, unit))
})
