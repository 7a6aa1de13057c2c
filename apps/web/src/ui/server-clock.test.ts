import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heedServerTime, serverNow } from './server-clock.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-05-04T12:00:00Z')

test("WEB-8: where this clock is wrong, the server's is shown, and goes on from there", (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: NOW + DAY_MS })
  heedServerTime('2026-05-04T12:00:00Z')
  assert.equal(serverNow(), NOW)
  context.mock.timers.tick(60_000)
  assert.equal(serverNow(), NOW + 60_000)
  heedServerTime('2026-05-05T12:01:02Z')
  assert.equal(serverNow(), NOW + DAY_MS + 60_000, 'a moment on the way is no wrong clock')
})

test('what is no time changes nothing', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: NOW })
  heedServerTime('')
  assert.equal(serverNow(), NOW)
})
