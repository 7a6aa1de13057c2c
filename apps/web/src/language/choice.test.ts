import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenLanguage, withClock } from './choice.ts'

test("the browser's languages decide, and keep their regional format of times and numbers", () => {
  assert.deepEqual(spoken(null, ['de-AT', 'de', 'en']), ['de', 'de-AT'])
  assert.deepEqual(spoken(null, ['en-GB', 'de-DE']), ['en', 'en-GB'])
  assert.deepEqual(spoken(null, ['xx', 'de']), ['de', 'de'])
})

test('a chosen language overrides them', () => {
  assert.deepEqual(spoken('de', ['en-GB']), ['de', 'de'])
  assert.deepEqual(spoken('en', ['de-DE', 'en-US']), ['en', 'en-US'])
  assert.deepEqual(spoken('xx', ['de-CH']), ['de', 'de-CH'])
})

test('without a supported language the texts are English', () => {
  assert.deepEqual(spoken(null, ['xx-YY']), ['en', 'en'])
  assert.deepEqual(spoken(null, []), ['en', 'en'])
})

test('invalid language tags are skipped', () => {
  assert.deepEqual(spoken(null, ['en-US@posix']), ['en', 'en'])
  assert.deepEqual(spoken(null, ['en-US@posix', 'de-CH']), ['de', 'de-CH'])
})

test('a chosen clock changes nothing else', () => {
  const timeBy = (locale: string) =>
    new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date('2026-05-01T21:41:00'))
  assert.equal(withClock('de-CH', undefined), 'de-CH')
  assert.equal(withClock('en-GB-u-hc-h23', 'h12'), 'en-GB-u-hc-h12')
  const locales = [withClock('en-US', 'h23'), withClock('en-US', 'h12'), withClock('de', 'h12')]
  assert.deepEqual(locales.map(timeBy), ['21:41', '9:41 PM', '9:41 PM'])
})

function spoken(chosen: string | null, wanted: readonly string[]) {
  const { language, locale } = spokenLanguage(chosen, wanted)
  return [language.code, locale]
}
