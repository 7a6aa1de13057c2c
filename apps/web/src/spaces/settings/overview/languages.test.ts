import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceLanguages } from './languages.ts'

test('the chosen language is included, even without a name', () => {
  const names = (chosen: string) => new Map(spaceLanguages(chosen))
  assert.equal(names('de').get('de'), 'German')
  assert.equal(names('de-AT').get('de-AT'), 'Austrian German')
  for (const tag of ['de-DE-u-co-phonebk', 'zh-Hans-CN-x-home']) assert.equal(names(tag).get(tag), tag)
})
