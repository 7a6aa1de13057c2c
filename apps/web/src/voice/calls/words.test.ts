import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callSummary, durationWords, participantsText } from './words.ts'

const MINUTE_MS = 60_000

function summaryFor(...participants: string[]) {
  const call = { started_at: '2026-01-01T10:00:00.000Z', ended_at: '2026-01-01T10:05:10.000Z' }
  return callSummary({ ...call, participant_ids: participants }, 'me')
}

test('the summary of a call depends on the user who reads it', () => {
  assert.deepEqual(summaryFor('other', 'me'), {
    text: 'started a call that lasted 5 minutes.',
    outcome: 'taken',
  })
  assert.equal(summaryFor('other').outcome, 'missed')
  assert.equal(summaryFor('other', 'another').outcome, 'missed')
  assert.equal(summaryFor('me').outcome, 'unanswered')
})

test('other participants are named, and unknown ones are counted', () => {
  assert.equal(participantsText(['jonas', 'you'], 2), 'Also in the call: jonas and you.')
  assert.equal(participantsText(['jonas'], 2), 'Also in the call: jonas and 1 other.')
  assert.equal(participantsText([], 2), 'Also in the call: 2 others.')
  assert.equal(participantsText([], 0), '')
})

test('durations are rounded after a call, and exact to the second during it', () => {
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
})
