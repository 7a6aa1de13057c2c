import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { automodActions, automodModes, automodSources } from '@foyer/protocol/automod'
import { sampleRule } from '../sample-rule.ts'
import { actionTexts, consequenceTexts, modeTexts, sourceTexts, triggerText } from './rule-texts.ts'

const sentences: readonly (readonly [AutomodTrigger, string])[] = [
  [{ type: 'words', words: ['a'] }, 'Catches 1 word or phrase'],
  [{ type: 'words', words: ['a', 'b'], allowed: ['c'] }, 'Catches 2 words and phrases'],
  [{ type: 'links', list: 'allow', hosts: ['a', 'b', 'c'] }, 'Catches links except to 3 hosts'],
  [{ type: 'links', list: 'allow', hosts: [] }, 'Catches all links'],
  [{ type: 'links', list: 'deny', hosts: ['a'] }, 'Catches links to 1 host'],
  [{ type: 'invites' }, 'Catches invites to other spaces'],
  [{ type: 'mentions', max: 5 }, 'Catches messages with more than 5 mentions'],
  [{ type: 'repeats', count: 3, seconds: 60 }, 'Catches the same text 3 times within 1 minute'],
  [
    { type: 'capitals', percent: 70, min_letters: 15 },
    'Catches texts of 15 letters or more with at least 70% capitals',
  ],
  [{ type: 'new_accounts', hours: 24 }, 'Catches messages from accounts younger than 1 day'],
  [{ type: 'attachments', content_types: ['image/*'], sha256: [] }, 'Catches 1 type of file'],
  [
    { type: 'attachments', content_types: ['image/*', 'video/*'], sha256: ['0'.repeat(64)] },
    'Catches 2 types of files and 1 known file',
  ],
]

for (const [trigger, sentence] of sentences)
  test(`AUTOMOD-41: a rule for ${trigger.type} is described as “${sentence}”`, () => {
    assert.equal(triggerText(trigger), sentence)
  })

test('AUTOMOD-41: the consequences name the room and the time', () => {
  const nameOfRoom = (id: string) => `#${id}`
  assert.deepEqual(consequenceTexts(sampleRule(), nameOfRoom), ['Refuses it'])
  assert.deepEqual(
    consequenceTexts(sampleRule({ action: 'hold', alert_room_id: 'mods', timeout_minutes: 90 }), nameOfRoom),
    ['Holds it for review', 'notifies moderators in #mods', 'times out for 90 minutes'],
  )
})

test('AUTOMOD-41: every mode, action and source has a name of its own', () => {
  for (const [names, texts] of [
    [automodModes, modeTexts],
    [automodActions, actionTexts],
    [automodSources, sourceTexts],
  ] as const) {
    assert.deepEqual(Object.keys(texts).toSorted(), [...names].toSorted())
    assert.equal(new Set(Object.values(texts)).size, names.length)
  }
})
