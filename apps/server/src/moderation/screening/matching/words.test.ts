import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMatcher, type TextRule } from './matcher.ts'

async function catches(words: string[], text: string, allowed: string[] = []): Promise<boolean> {
  const matcher = await compileMatcher([{ id: 'rule', trigger: { type: 'words', words, allowed } }], {})
  return matcher.match([text]).length > 0
}

const cases: [word: string, caught: string[], passed: string[]][] = [
  [
    'ass',
    ['ass', 'an ass!', 'ASS', '(ass)', 'foo_ass', 'ass\nnext'],
    ['class', 'assess', 'grass', 'as s', ''],
  ],
  ['foo*', ['foo', 'food', 'a FOOBAR'], ['xfoo', 'fo o']],
  ['*foo', ['foo', 'xfoo', 'éfoo'], ['food']],
  ['*foo*', ['foo', 'xfoox', '1foo1'], ['fo', 'f-oo']],
  [
    'two words',
    ['two words', 'Two, words', 'two\n\n— words', 'two_words'],
    ['twowords', 'two other words', 'two wordsx'],
  ],
  ['pre fix*', ['pre fixes', 'pre-fix'], ['xpre fix']],
  ['我们', ['我们', '他们和我们一起', 'a我们b'], ['我和们', '我']],
  ['ばか', ['それはばかです'], ['ばあか']],
  ['ไทย', ['ภาษาไทยง่าย'], ['ไท']],
  ['🍆', ['🍆', 'x🍆🍆', '🍆\ufe0f'], ['🍅']],
  ['a$$', ['a$$', 'an a$$!'], ['a', 'a dollar']],
  ['c++', ['c++ is', 'C++'], ['c', 'c is']],
  ['straße', ['strasse', 'STRASSE', 'straße', 'STRAẞE', 'Straβe'], ['strase']],
  ['café', ['cafe', 'CAFÉ', 'cafe\u0301'], ['caff']],
  ['कुत्ता', ['कुत्ता', 'एक कुत्ता।'], ['कता', 'कत्ति']],
  ['ficus', ['ﬁcus', 'FICUS'], ['focus']],
]

for (const [word, caught, passed] of cases) {
  test(`AUTOMOD-20: “${word}” is caught as a word`, async () => {
    for (const text of caught) assert.equal(await catches([word], text), true, text)
    for (const text of passed) assert.equal(await catches([word], text), false, text)
  })
}

test('AUTOMOD-21: a match within an allowed word does not count, others do', async () => {
  const rule = ['*ass*']
  assert.equal(await catches(rule, 'first class'), true)
  assert.equal(await catches(rule, 'first class', ['class']), false)
  assert.equal(await catches(rule, 'first class', ['first class']), false)
  assert.equal(await catches(rule, 'CLASS, сlаss and class', ['class']), false)
  assert.equal(await catches(rule, 'class and bass', ['class']), true)
  assert.equal(await catches(rule, 'bass and class', ['class']), true)
  assert.equal(await catches(rule, 'classy', ['class']), true)
  assert.equal(await catches(rule, 'classy', ['class*']), false)
})

/** Words that are hidden in others, or differ from them only in letters that look alike. */
const unrelated: [word: string, texts: string[]][] = [
  ['fail', ['They fall in fall.', 'FALL', 'Fall']],
  ['fall', ['fail', 'FAIL', 'Fail again']],
  ['mail', ['the mall', 'MALL', 'snail']],
  ['mall', ['MAIL', 'Mail', 'e-mail']],
  ['bum', ['burn', 'Burn', 'BURN']],
  ['porn', ['pom', 'pompom', 'POM']],
  ['dam', ['darn it', 'dame']],
  ['com', ['corn', 'comet']],
  ['cunt', ['Scunthorpe', 'SCUNTHORPE']],
  ['tit', ['title', 'Titanic', 'constitution']],
  ['lol', ['101', '10 1', 'loi', 'ioi']],
  ['ill', ["I'll", 'lil', 'I, II and III', '111', '1, 11']],
  ['hell', ['hello', 'shell', 'HELLO', "he'll"]],
  ['nil', ['nll', 'NLL']],
  ['oil', ['oll', 'OLL', '011']],
  ['anal', ['analysis', 'canal', 'ANALYST']],
]

test('AUTOMOD-22: plain words are read as they are written', async () => {
  for (const [word, texts] of unrelated)
    for (const text of texts) assert.equal(await catches([word], text), false, `${word}: ${text}`)
})

test('AUTOMOD-22: one disguised letter makes a word one that is not plain', async () => {
  for (const [word, text] of [
    ['fail', 'fаll'],
    ['fall', 'fa1l'],
    ['bum', 'bυrn'],
    ['lol', '1o1'],
    ['mail', 'rnail'],
    ['wow', 'vvow'],
    ['hello', 'hellо'],
  ] as const)
    assert.equal(await catches([word], text), true, `${word}: ${text}`)
})

test('AUTOMOD-23: disguises are caught', async () => {
  const texts = [
    'ＳＥＣＲＥＴ',
    '𝓼𝓮𝓬𝓻𝓮𝓽',
    'ⓢⓔⓒⓡⓔⓣ',
    '⒮⒠⒞⒭⒠⒯',
    'ѕесrеt',
    's\u200bec\u00adr\u2060et',
    's̷e̷c̷r̷e̷t',
    'śéçřêț',
    'sеcret',
  ]
  for (const text of texts) assert.equal(await catches(['secret'], `a ${text} b`), true, text)
  assert.equal(await catches(['secret'], 'a sacred b'), false)
})

test('AUTOMOD-23: Markdown within a word does not hide it', async () => {
  const texts = [
    '**sec**ret',
    's_e_cret',
    '~~s~~ecret',
    'se||cre||t',
    's`ecret`',
    'se\\cret',
    '[sec](https://a.example/b)ret',
    's[ecret](<https://a.example/(b)>)',
    's*e**c***r_e_t',
  ]
  for (const text of texts) assert.equal(await catches(['secret'], text), true, text)
  assert.equal(await catches(['fall'], '||f||a||||'), true)
  assert.equal(await catches(['secret'], 'se cret'), false)
  assert.equal(await catches(['secret'], 'x**secret**'), true)
})

test('AUTOMOD-20: mentions and custom emojis have no words', async () => {
  const id = '0198face-dead-7bad-beef-0123456789ab'
  assert.equal(await catches(['dead', 'smile'], `<@${id}> <@&${id}> <#${id}> <:smile:${id}>`), false)
  assert.equal(await catches(['dead'], `${id}`), true)
})

test('AUTOMOD-24: each rule is reported once, in their order, with the caught part', async () => {
  const rules: TextRule[] = [
    { id: 'b', trigger: { type: 'words', words: ['two'] } },
    { id: 'none', trigger: { type: 'mentions', max: 1 } },
    { id: 'a', trigger: { type: 'words', words: ['one', `${'long '.repeat(18)}end`] } },
    { id: 'unused', trigger: { type: 'words', words: ['three'] } },
  ]
  const matcher = await compileMatcher(rules, {})
  assert.deepEqual(matcher.match(['nothing', 'ONE o\u200bne', 'a t\u200bwo', 'two']), [
    { ruleId: 'b', excerpt: 't\u200bwo' },
    { ruleId: 'a', excerpt: 'ONE' },
  ])
  assert.equal(matcher.weight, 4)
  const [match] = matcher.match([`${'long, , '.repeat(18)}end`])
  assert.equal(match?.excerpt, 'long, , '.repeat(13).slice(0, 100))
})

test('AUTOMOD-24: without rules nothing is caught', async () => {
  const matcher = await compileMatcher([], {})
  assert.equal(matcher.weight, 1)
  assert.deepEqual(matcher.match(['anything']), [])
})
