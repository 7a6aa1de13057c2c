import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callDeed, companyWords, durationWords, elapsedClock } from './words.ts'

const MINUTE_MS = 60_000

function deed(...participants: string[]) {
  const call = { started_at: '2026-01-01T10:00:00.000Z', ended_at: '2026-01-01T10:05:10.000Z' }
  return callDeed({ ...call, participant_ids: participants }, 'me')
}

test('a call says of itself what became of it for the reader', () => {
  assert.deepEqual(deed('other', 'me'), { text: 'started a call that lasted 5 minutes.', outcome: 'taken' })
  assert.equal(deed('other').outcome, 'missed')
  assert.equal(deed('other', 'another').outcome, 'missed')
  assert.equal(deed('me').outcome, 'unanswered')
})

test('a call says who else was there, and counts those who are not known', () => {
  assert.equal(companyWords(['jonas', 'you'], 2), 'Also there: jonas and you.')
  assert.equal(companyWords(['jonas'], 2), 'Also there: jonas and 1 other.')
  assert.equal(companyWords([], 2), 'Also there: 2 others.')
  assert.equal(companyWords([], 0), '')
})

test('how long it lasted is said roughly, and shown to the second while it lasts', () => {
  const words = [0, 0.4, 0.6, 2, 60, 61, 125].map((minutes) => durationWords(minutes * MINUTE_MS))
  assert.deepEqual(words, [
    'a moment',
    'a moment',
    '1 minute',
    '2 minutes',
    '1 hour',
    '1 hour 1 minute',
    '2 hours 5 minutes',
  ])
  const clocks = [-500, 0, 61_999, 3_723_000].map(elapsedClock)
  assert.deepEqual(clocks, ['0:00', '0:00', '1:01', '1:02:03'])
})
