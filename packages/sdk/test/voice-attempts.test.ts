import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Attempts } from '@foyer/sdk/voice/attempts'
import { usualVoiceTimings } from '@foyer/sdk/voice/voice-timings'

test('a join that the server refused late is asked again at once, and not forever', () => {
  const late = new Attempts(usualVoiceTimings)
  const delays = Array.from({ length: 9 }, () => late.next('refused', usualVoiceTimings.maxDelayMs))
  const atOnce = { afterMs: usualVoiceTimings.baseDelayMs / 4 }
  assert.deepEqual(delays, [...Array.from({ length: 8 }, () => atOnce), { reason: 'unavailable' }])
})

test('a join that the server refused at once is asked again later', () => {
  const prompt = new Attempts(usualVoiceTimings)
  const delays = Array.from({ length: 8 }, () => prompt.next('refused'))
  const isLater = delays.map((next) => 'afterMs' in next && next.afterMs > usualVoiceTimings.baseDelayMs / 4)
  assert.ok(isLater.includes(true))
})
