import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MUTED_FOR_EVER } from '@foyer/protocol/notifications'
import { mutedWords, muteTimes } from './mute-times.ts'

/** A time of May 2026 in the local time zone. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 4, day, hour, minute).getTime()
const untilMorning = muteTimes.find(({ label }) => label === 'Until tomorrow morning')
const morningAfter = (now: number) => Date.parse(untilMorning?.until(now) ?? '')

test('tomorrow morning is the next one, even after midnight', () => {
  assert.equal(morningAfter(at(1, 18)), at(2, 8))
  assert.equal(morningAfter(at(1, 9)), at(2, 8))
  assert.equal(morningAfter(at(2, 1)), at(2, 8))
  assert.equal(morningAfter(at(31, 23)), new Date(2026, 5, 1, 8).getTime())
})

test('mutes start now, and the last one never ends', () => {
  const now = at(1, 12)
  const [first] = muteTimes
  assert.equal(first?.until(now), new Date(at(1, 12, 15)).toISOString())
  assert.equal(muteTimes.at(-1)?.until(now), MUTED_FOR_EVER)
})

test('the end of a mute has a date unless it is today', () => {
  const now = at(1, 12)
  const words = (until: number) => mutedWords(new Date(until).toISOString(), now)
  assert.match(words(at(1, 14, 30)), /^Muted until 2:30\sPM\.$/)
  assert.match(words(at(2, 8)), /^Muted until May 2, 2026, 8:00\sAM\.$/)
  assert.equal(mutedWords(MUTED_FOR_EVER, now), 'Muted until you unmute it.')
})
