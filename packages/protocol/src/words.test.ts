import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { locateWords, MAX_WORD_LENGTH, matchesWord, queryWordsOf, wordsOf } from './words.ts'

/** Texts that are one word each, and the same one. */
const sameWords: readonly (readonly string[])[] = [
  ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
  ['ΟΔΟΣ', 'οδος', 'Οδός', 'οδοσ'],
  ['ᾼδης', 'αδης', 'ΑΔΗΣ'],
  ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul'],
  ['Ёлка', 'елка', 'ЁЛКА'],
  ['résumé', 'resume', 're\u0301sume\u0301', 'RÉSUMÉ'],
  ['ﬁﬀ', 'fiff', 'FIFF'],
  ['ｆｏｏ１２', 'foo12', 'FOO１２'],
  ['𝐟𝐨𝐨', 'foo'],
  ['x²', 'x2'],
  ['مُحَمَّد', 'محمد', 'محـــمد', 'مُحَمّد'],
  ['أحمد', 'احمد'],
  ['שָׁלוֹם', 'שלום'],
  ['한국어', '한국어'.normalize('NFD')],
  ['カタカナ', 'ｶﾀｶﾅ'],
  ['ガス', 'ｶﾞｽ'],
  ['tiếng', 'tieng'],
  ['𐐀𐐁', '𐐨𐐩'],
  ['Zürich', 'Zu\u0308rich', 'zurich'],
  ['so\u00adft', 'soft'],
  ['e'.concat('\u0301'.repeat(200)), 'e'],
]

/** Texts that are one word each, every one another. */
const otherWords: readonly (readonly string[])[] = [
  ['कि', 'का', 'क'],
  ['ก่า'.replace('่', ''), 'กี', 'ก'],
  ['か', 'が', 'ば', 'ぱ', 'は'],
  ['日本', '日'],
  ['로', '루'],
  ['a', 'b', '1', '2'],
]

const texts: readonly (readonly [string, readonly string[]])[] = [
  ['Hello, world! hello', ['hello', 'world']],
  ["it's e-mail_address, 3.14", ['it', 's', 'e', 'mail', 'address', '3', '14']],
  ['日本語テキスト と 中文', ['日本語テキスト', 'と', '中文']],
  ['https://example.org/a-b?c=d', ['https', 'example', 'org', 'a', 'b', 'c', 'd']],
  ['👩‍💻 🎉 ❤️ — … !?', []],
  ['👍ok👍', ['ok']],
  ['\u0301 \u093f \u200d', []],
  ['½ ②', ['1', '2']],
  ['می‌خواهم', ['می', 'خواهم']],
  ['पानी में', ['पानी', 'में']],
  ["'a' & !b | c:* <-> (d)", ['a', 'b', 'c', 'd']],
  ['', []],
]

/** Difficult input: letters of many scripts, marks, characters that are no letters, and halves of letters. */
const hardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(
        'ß',
        'ẞ',
        'İ',
        'ı',
        'Σ',
        'ς',
        'ﷺ',
        '한',
        'が',
        'ﾞ',
        'ŉ',
        'ΐ',
        'ǰ',
        'ﬃ',
        '\u0301',
        '\u0e38',
        '\u3099',
        ' ',
        'ـ',
        '\ud800',
      ),
    ),
  )
  .map((parts) => parts.join(''))

test('SEARCH-1: words are equal regardless of case, accents and forms of letters', () => {
  for (const forms of sameWords) {
    const [[first]] = [wordsOf(forms[0] ?? '')]
    for (const form of forms) assert.deepEqual(wordsOf(form), [first], form)
  }
})

test('SEARCH-1: marks that are letters make a different word', () => {
  for (const forms of otherWords) {
    const words = forms.flatMap(wordsOf)
    assert.equal(new Set(words).size, forms.length, forms.join(' '))
    assert.equal(words.length, forms.length, forms.join(' '))
  }
})

test('SEARCH-1: a word is a run of letters and digits, and nothing else', () => {
  for (const [text, words] of texts) assert.deepEqual(wordsOf(text), words.flatMap(wordsOf), text)
  assert.deepEqual(wordsOf('Hello, world! hello'), ['hello', 'world'])
})

test('SEARCH-1: a query word is a prefix of a word in the text, and a single letter a whole word', () => {
  const finds = (query: string, text: string) =>
    queryWordsOf(query).every((asked) => wordsOf(text).some((word) => matchesWord(asked, word)))
  for (const [query, text] of [
    ['hel wor', 'world hello'],
    ['a', 'a bee'],
    ['É', 'e'],
    ['日本', '日本語'],
    ['한구', '한국어'],
    ['한', '한 잔'],
    ['ss', 'ßen'],
    ['がく', 'がくせい'],
    ['คร', 'ครับ'],
  ] as const)
    assert.ok(finds(query, text), `${query} | ${text}`)
  for (const [query, text] of [
    ['a', 'ab'],
    ['É', 'essen'],
    ['llo', 'hello'],
    ['日', '日本語'],
    ['본', '일본'],
    ['한', '한국어'],
    ['が', 'がくせい'],
    ['कि', 'किताब'],
    ['1', '12'],
    ['hello worlds', 'hello world'],
  ] as const)
    assert.ok(!finds(query, text), `${query} | ${text}`)
})

test('SEARCH-1: only the beginning of a long word counts', () => {
  assert.deepEqual(wordsOf('x'.repeat(4000)), ['x'.repeat(MAX_WORD_LENGTH)])
  const [word = ''] = wordsOf(`x${'𐐨'.repeat(4000)}`)
  assert.ok(word.isWellFormed() && word.length <= MAX_WORD_LENGTH)
})

test('SEARCH-1: the words of a word are the word itself, and consist of letters and digits', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      const words = wordsOf(text)
      assert.equal(new Set(words).size, words.length)
      for (const word of words) {
        assert.deepEqual(wordsOf(word), [word])
        assert.match(word, /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u)
      }
      const composed = [text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC')]
      for (const form of composed) assert.deepEqual(wordsOf(form), words)
    }),
    { numRuns: 1000 },
  )
})

test('SEARCH-1: words have their position in the displayed text', () => {
  assert.deepEqual(
    locateWords('Ach, die STRASSE: ﬁne 𐐀x!').map(({ start, end }) => [start, end]),
    [
      [0, 3],
      [5, 8],
      [9, 16],
      [18, 21],
      [22, 25],
    ],
  )
  fc.assert(
    fc.property(hardText, (text) => {
      const located = locateWords(text)
      assert.deepEqual([...new Set(located.map(({ word }) => word))], wordsOf(text))
      let end = 0
      for (const place of located) {
        assert.ok(place.start >= 0 && place.end > place.start && place.end <= text.length)
        assert.ok(place.end >= end)
        end = place.end
      }
    }),
    { numRuns: 1000 },
  )
})
