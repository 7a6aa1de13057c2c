import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adjustServerClock, serverNow } from './server-clock.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-05-04T12:00:00Z')

test('WEB-8: a wrong clock is replaced by the server’s, which continues from there', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: NOW + DAY_MS })
  adjustServerClock('2026-05-04T12:00:00Z')
  assert.equal(serverNow(), NOW)
  context.mock.timers.tick(60_000)
  assert.equal(serverNow(), NOW + 60_000)
  adjustServerClock('2026-05-05T12:01:02Z')
  assert.equal(serverNow(), NOW + DAY_MS + 60_000, 'a moment on the way is no wrong clock')
})

test('an invalid time changes nothing', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: NOW })
  adjustServerClock('')
  assert.equal(serverNow(), NOW)
})
