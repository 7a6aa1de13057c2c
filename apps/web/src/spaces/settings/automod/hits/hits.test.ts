import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleUser } from '#src/store/samples.ts'
import { sampleHit, sampleRule } from '../sample-rule.ts'
import { outcomeText } from './hit-texts.ts'
import { noHits, withHits } from './loaded-hits.ts'
import { markedText } from './marked-text.ts'

test('AUTOMOD-46: pages are joined, each hit once, until one is not full', () => {
  const first = withHits(noHits, { hits: [sampleHit('3'), sampleHit('2')], users: [sampleUser('other')] }, 2)
  assert.equal(first.isComplete, false)
  const second = withHits(first, { hits: [sampleHit('2'), sampleHit('1')], users: [sampleUser('mira')] }, 3)
  assert.deepEqual(
    second.hits.map(({ id }) => id),
    ['3', '2', '1'],
  )
  assert.deepEqual([Object.keys(second.users), second.isComplete], [['other', 'mira'], true])
})

test('AUTOMOD-46: a hit in testing says what would have happened; only messages are held', () => {
  const refusing = sampleRule()
  const holding = sampleRule({ action: 'hold' })
  assert.equal(outcomeText({ mode: 'on', source: 'message' }, refusing), 'Refused')
  assert.equal(outcomeText({ mode: 'test', source: 'message' }, refusing), 'Would have been refused')
  assert.equal(outcomeText({ mode: 'on', source: 'message' }, holding), 'Held for review')
  assert.equal(outcomeText({ mode: 'test', source: 'message' }, holding), 'Would have been held')
  assert.equal(outcomeText({ mode: 'on', source: 'nickname' }, holding), 'Refused')
  assert.equal(outcomeText({ mode: 'test', source: 'message' }, undefined), 'Would have been caught')
})

test('AUTOMOD-46: the caught part is marked in its text', () => {
  assert.deepEqual(markedText('no spam here', 'spam'), { before: 'no ', caught: 'spam', after: ' here' })
  for (const excerpt of [null, '', 'elsewhere'])
    assert.deepEqual(markedText('no spam', excerpt), { before: 'no spam', caught: '', after: '' })
})
