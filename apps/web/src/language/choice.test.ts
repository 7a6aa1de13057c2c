import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenLanguage } from './choice.ts'

test("the browser's languages decide, and keep their kind of times and numbers", () => {
  assert.deepEqual(spoken(null, ['de-AT', 'de', 'en']), ['de', 'de-AT'])
  assert.deepEqual(spoken(null, ['en-GB', 'de-DE']), ['en', 'en-GB'])
  assert.deepEqual(spoken(null, ['xx', 'de']), ['de', 'de'])
})

test('a choice goes before them', () => {
  assert.deepEqual(spoken('de', ['en-GB']), ['de', 'de'])
  assert.deepEqual(spoken('en', ['de-DE', 'en-US']), ['en', 'en-US'])
  assert.deepEqual(spoken('xx', ['de-CH']), ['de', 'de-CH'])
})

test('where no language is one of ours the texts are English', () => {
  assert.deepEqual(spoken(null, ['xx-YY']), ['en', 'en'])
  assert.deepEqual(spoken(null, []), ['en', 'en'])
})

test('what browsers say that is no language is passed over', () => {
  assert.deepEqual(spoken(null, ['en-US@posix']), ['en', 'en'])
  assert.deepEqual(spoken(null, ['en-US@posix', 'de-CH']), ['de', 'de-CH'])
})

function spoken(chosen: string | null, wanted: readonly string[]) {
  const { language, locale } = spokenLanguage(chosen, wanted)
  return [language.code, locale]
}
