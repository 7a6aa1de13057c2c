import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkedParts } from './linked-text.ts'

const shown = (text: string) => linkedParts(text).map((part) => (part.isLink ? `[${part.text}]` : part.text))

test('ANNOUNCE-8: http and https addresses are links, without the punctuation after them', () => {
  assert.deepEqual(shown('See https://example.org/a?b=c#d.'), ['See ', '[https://example.org/a?b=c#d]', '.'])
  assert.deepEqual(shown('https://a.example, (http://b.example)'), [
    '[https://a.example]',
    ', (',
    '[http://b.example]',
    ')',
  ])
  assert.deepEqual(shown('https://a.example/https://b.example'), ['[https://a.example/https://b.example]'])
})

test('ANNOUNCE-8: nothing else is a link, and no character is lost', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,<b>',
    'https://',
    'http://[',
    '<a href="x">y</a>',
    'xhttps://example.org',
    '',
  ])
    assert.ok(!linkedParts(text).some(({ isLink }) => isLink), text)
  const long = `${'http://['.repeat(60)} https://example.org ${'😀'.repeat(10)}`
  assert.equal(
    linkedParts(long)
      .map(({ text }) => text)
      .join(''),
    long,
  )
})
