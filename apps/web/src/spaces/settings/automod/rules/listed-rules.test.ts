import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRule } from '../sample-rule.ts'
import { withoutRule, withRule } from './listed-rules.ts'

test('AUTOMOD-41: a saved rule keeps its position, and a new one is last', () => {
  const rules = [sampleRule(), sampleRule({ id: 'other' })]
  const named = (list: ReturnType<typeof withRule>) => list.map(({ id, name }) => `${id} ${name}`)
  assert.deepEqual(named(withRule(rules, sampleRule({ name: 'Spam' }))), ['rule Spam', 'other No spam'])
  assert.deepEqual(named(withRule(rules, sampleRule({ id: 'new' }))), [
    'rule No spam',
    'other No spam',
    'new No spam',
  ])
  assert.deepEqual(named(withoutRule(rules, 'rule')), ['other No spam'])
})
