import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionQuery, nearness } from './completion-query.ts'

function found(written: string): string | null {
  const caret = written.indexOf('|')
  const query = completionQuery(written.replace('|', ''), caret)
  return query && `${query.kind}${query.query} at ${query.start}`
}

test('a trigger character at the beginning of a word starts a completion', () => {
  assert.equal(found('@|'), '@ at 0')
  assert.equal(found('hi @mi| there'), '@mi at 3')
  assert.equal(found('see (#gen|'), '#gen at 5')
  assert.equal(found('nice :smi|'), ':smi at 5')
  assert.equal(found('nice :joy:|'), ':joy: at 5')
  assert.equal(found('hé @Zoë|'), '@Zoë at 3')
})

test('addresses, times, emoticons and code start no completion', () => {
  for (const text of [
    'me@home|',
    'at 10:30|',
    ':D|',
    'a#b|',
    '`@mi|',
    '```\n@mi|',
    '@mi |',
    '::ab|',
    ':joy: |',
    'a:b:|',
  ])
    assert.equal(found(text), null, text)
  assert.equal(found('`a` @mi|'), '@mi at 4')
})

test('prefix matches come before other matches, and accents do not matter', () => {
  assert.equal(nearness('Zoë Park', 'zoe'), 0)
  assert.equal(nearness('Zoë Park', 'par'), 1)
  assert.equal(nearness('Zoë Park', 'ark'), 2)
  assert.equal(nearness('Zoë Park', 'x'), null)
  assert.equal(nearness('anything', ''), 0)
})
