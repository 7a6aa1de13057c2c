import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLinks } from './links.ts'

const found: [content: string, links: string[]][] = [
  ['see https://example.org/a and http://example.org', ['https://example.org/a', 'http://example.org']],
  ['HTTPS://EXAMPLE.ORG/A', ['HTTPS://EXAMPLE.ORG/A']],
  ['twice https://a.example twice https://a.example', ['https://a.example']],
  ['(https://example.org/a). "https://example.org/b"!', ['https://example.org/a', 'https://example.org/b']],
  ['https://en.example.org/Foyer_(hall)', ['https://en.example.org/Foyer_(hall)']],
  ['(see https://en.example.org/Foyer_(hall))', ['https://en.example.org/Foyer_(hall)']],
  ['[text](https://example.org/a)', ['https://example.org/a']],
  ['**https://example.org/a**', ['https://example.org/a']],
  ['https://пример.example/путь?a=b#c', ['https://пример.example/путь?a=b#c']],
  ['<https://example.org/hidden> https://example.org/shown', ['https://example.org/shown']],
  ['`https://a.example` and ``https://b.example`` and\n```\nhttps://c.example\n```', []],
  ['```\nhttps://unclosed.example', []],
  ['||https://spoiler.example||', []],
  ['ftp://example.org mailto:a@b.c example.org //example.org', []],
  ['https:// http://? https://user:word@example.org/ xhttps://example.org', []],
  [
    Array.from({ length: 9 }, (_, at) => `https://${at}.example`).join(' '),
    [0, 1, 2, 3, 4].map((at) => `https://${at}.example`),
  ],
]

for (const [content, links] of found) {
  test(`PREVIEW-1: ${JSON.stringify(content.slice(0, 60))}`, () => {
    assert.deepEqual(findLinks(content), links)
  })
}

test('PREVIEW-1: a link ends before any number of closing brackets', { timeout: 20_000 }, () => {
  assert.deepEqual(findLinks(`https://a.example/(b)${')'.repeat(200_000)}`), ['https://a.example/(b)'])
})

test('PREVIEW-1: finding links takes linear time', () => {
  const hostile = ['`', '||', '<https://', 'https://', 'https://a)', '(((', '``` ', '<http://a '].map(
    (part) => part.repeat(4000).slice(0, 4000),
  )
  for (const content of hostile) assert.ok(findLinks(content).length <= 5, content.slice(0, 20))
})
