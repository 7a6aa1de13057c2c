import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_REPORT_CHARACTERS } from '@foyer/protocol/limits'
import { checkReport, countText } from './report-text.ts'

const longest = '😀'.repeat(MAX_REPORT_CHARACTERS)

test('REPORT-1: a report needs a reason, and its text may be left out', () => {
  assert.deepEqual(checkReport({ reason: 'spam', text: '' }), {})
  assert.deepEqual(Object.keys(checkReport({ reason: '', text: 'Help' })), ['reason'])
})

test('REPORT-1: the text is counted in characters, without the space around it', () => {
  assert.deepEqual(checkReport({ reason: 'spam', text: ` ${longest} ` }), {})
  assert.deepEqual(checkReport({ reason: 'spam', text: `${longest}!!` }), {
    text: '2 characters over the limit',
  })
})

test('the counter appears when the end is near', () => {
  assert.equal(countText('Help'), undefined)
  assert.equal(countText(longest), '0 characters left')
  assert.equal(countText(`${longest}!`), '1 character over the limit')
})
