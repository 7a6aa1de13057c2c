import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText } from './folding.ts'

test('AUTOMOD-24: texts that read alike fold to the same', () => {
  const alike = [
    'Hello  World',
    'hello world ',
    'HELLO\nWORLD',
    'Hеllо Wоrld',
    'ｈｅｌｌｏ ｗｏｒｌｄ',
    'he\u200bllo w\u0301orld',
    '𝓱𝓮𝓵𝓵𝓸 𝔀𝓸𝓻𝓵𝓭',
  ]
  for (const text of alike) assert.equal(foldText(text), 'hello world', text)
  assert.equal(foldText('STRAẞE'), foldText('strasse'))
  assert.notEqual(foldText('fall'), foldText('fail'))
  assert.notEqual(foldText('привет'), foldText('привёз'))
  assert.equal(foldText(' \u200b'), '')
})
