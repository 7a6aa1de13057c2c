import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf } from './undecided-words.ts'

test('REPORT-15: what waits is counted, up to 99', () => {
  assert.equal(sentencesOf({ reports: 0, appeals: 0 }), '')
  assert.equal(sentencesOf({ reports: 1, appeals: 0 }), '1 report is waiting.')
  assert.equal(sentencesOf({ reports: 2, appeals: 1 }), '2 reports are waiting. 1 appeal is waiting.')
  assert.equal(
    sentencesOf({ reports: 100, appeals: 99 }),
    'More than 99 reports are waiting. 99 appeals are waiting.',
  )
})
