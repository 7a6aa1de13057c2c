import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AutomodTrigger, type AutomodTriggerType, automodTriggers } from '@foyer/protocol/automod'
import { sampleRule } from '../sample-rule.ts'
import { catchesMost } from './broad-rule.ts'
import { checkDraft } from './check-draft.ts'
import { numberLimits } from './number-limits.ts'
import { bodyOf, changedFields, draftOf, newRuleDraft, type RuleDraft, tryBodyOf } from './rule-draft.ts'
import { triggerTypes } from './trigger-kinds.ts'

const filled: RuleDraft = {
  ...newRuleDraft,
  name: ' No spam ',
  words: 'spam*\n\n buy now \nspam*',
  allowed: 'spamalot',
  hosts: 'https://Example.org/path\nexample.org\ngood.example:8080',
  content_types: 'image/*',
  sha256: 'a'.repeat(64),
}

/** The fields of each type, as in the protocol. */
const fieldsOf: Readonly<Record<AutomodTriggerType, readonly string[]>> = {
  words: ['words', 'allowed'],
  links: ['list', 'hosts'],
  invites: [],
  mentions: ['max'],
  repeats: ['count', 'seconds'],
  capitals: ['percent', 'min_letters'],
  new_accounts: ['hours'],
  attachments: ['content_types', 'sha256'],
}

for (const type of automodTriggers)
  test(`AUTOMOD-42: a rule for ${type} is sent with its fields only, and read back unchanged`, () => {
    const { trigger, ...rule } = bodyOf({ ...filled, type })
    assert.deepEqual(Object.keys(trigger), ['type', ...fieldsOf[type]])
    assert.equal(trigger.type, type)
    const saved = sampleRule({ ...rule, trigger })
    assert.deepEqual(bodyOf(draftOf(saved)), { ...rule, trigger })
    assert.deepEqual(checkDraft({ ...filled, type }), {})
  })

test('AUTOMOD-42: lines are trimmed and sent once, and links become hosts', () => {
  assert.deepEqual(tryBodyOf(filled).trigger, {
    type: 'words',
    words: ['spam*', 'buy now'],
    allowed: ['spamalot'],
  })
  assert.deepEqual(tryBodyOf({ ...filled, type: 'links' }).trigger, {
    type: 'links',
    list: 'allow',
    hosts: ['example.org', 'good.example'],
  })
})

test('AUTOMOD-42: empty fields are none', () => {
  const { name, message, alert_room_id, timeout_minutes } = bodyOf({ ...filled, message: ' ' })
  assert.deepEqual([name, message, alert_room_id, timeout_minutes], ['No spam', null, null, null])
  assert.equal(bodyOf({ ...filled, timeout_minutes: '10' }).timeout_minutes, 10)
})

test('AUTOMOD-42: only what was edited is sent of an existing rule', () => {
  const before = bodyOf(draftOf(sampleRule()))
  assert.deepEqual(changedFields(before, before), {})
  const after = { ...before, name: 'Less spam', exempt_role_ids: ['role'] }
  assert.deepEqual(changedFields(before, after), { name: 'Less spam', exempt_role_ids: ['role'] })
})

test('AUTOMOD-42: wrong values are said at their fields', () => {
  const wrongIn = (change: Partial<RuleDraft>) => Object.keys(checkDraft({ ...filled, ...change }))
  assert.deepEqual(wrongIn({ name: ' ' }), ['name'])
  assert.deepEqual(wrongIn({ words: '\n' }), ['words'])
  assert.deepEqual(wrongIn({ words: 'a'.repeat(101) }), ['words'])
  assert.deepEqual(wrongIn({ words: Array.from({ length: 1001 }, (_, index) => index).join('\n') }), [
    'words',
  ])
  assert.deepEqual(wrongIn({ allowed: 'a'.repeat(101) }), ['allowed'])
  assert.deepEqual(wrongIn({ type: 'links', list: 'deny', hosts: '' }), ['hosts'])
  assert.deepEqual(wrongIn({ type: 'links', list: 'allow', hosts: '' }), [])
  assert.deepEqual(wrongIn({ type: 'mentions', max: '0' }), ['max'])
  assert.deepEqual(wrongIn({ type: 'mentions', max: '' }), ['max'])
  assert.deepEqual(wrongIn({ type: 'repeats', count: '2.5', seconds: '3601' }), ['count', 'seconds'])
  assert.deepEqual(wrongIn({ type: 'attachments', content_types: '', sha256: '' }), ['content_types'])
  assert.deepEqual(wrongIn({ type: 'attachments', content_types: 'png' }), ['content_types'])
  assert.deepEqual(wrongIn({ type: 'attachments', sha256: 'abc' }), ['sha256'])
  assert.deepEqual(wrongIn({ timeout_minutes: '40321' }), ['timeout_minutes'])
})

test('AUTOMOD-42: the limits of numbers, and the types, are those of the protocol', () => {
  const { properties } = AutomodTrigger
  for (const [name, [minimum, maximum]] of Object.entries(numberLimits))
    assert.partialDeepStrictEqual(Object.entries(properties).find(([each]) => each === name)?.[1], {
      minimum,
      maximum,
    })
  assert.deepEqual(triggerTypes, automodTriggers)
})

test('AUTOMOD-43: a new rule is in testing', () => {
  assert.equal(bodyOf(filled).mode, 'test')
})

test('AUTOMOD-44: a rule is too broad if it catches more than half of at least 20 messages', () => {
  const isBroad = (caught: number, checked: number) => catchesMost({ caught, checked, examples: [] })
  assert.deepEqual(
    [isBroad(11, 20), isBroad(10, 20), isBroad(19, 19), isBroad(501, 1000)],
    [true, false, false, true],
  )
})
