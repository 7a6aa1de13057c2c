import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMatcher } from './matcher.ts'

const LENGTH = 100_000
const PARTS = [
  '|',
  'l|',
  '||',
  '*',
  '**a',
  '`',
  '\\',
  '[a](',
  '](',
  'rn',
  'vv',
  'ﬃ',
  'ﷺ',
  'a ',
  'aa',
  '🍆',
  '我',
  '\u0301',
  '<@',
  'l1I|',
  'æ',
]

test('AUTOMOD-29: texts and patterns made to be slow take linear time', { timeout: 30_000 }, async () => {
  const run = (letter: string) => Array.from({ length: 99 }, (_, index) => `*${letter.repeat(index + 2)}*`)
  const words = [
    ...run('l'),
    ...run('a').map((word) => `${word.slice(0, -1)}b*`),
    ...run('m'),
    'æææ*',
    '🍆🍆x',
    '我我a',
    'ﷺ',
  ]
  const allowed = ['*lll*', '*aa*', '*mm*']
  const matcher = await compileMatcher([{ id: 'rule', trigger: { type: 'words', words, allowed } }], {})
  for (const part of PARTS) matcher.match([part.repeat(LENGTH / part.length)])
})

test('AUTOMOD-29: compiling leaves the event loop to others', async () => {
  const rules = Array.from({ length: 20 }, (_, rule) => ({
    id: String(rule),
    trigger: {
      type: 'words' as const,
      words: Array.from({ length: 1000 }, (_, word) => `word${rule * 1000 + word}`),
    },
  }))
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const matcher = await compileMatcher(rules, {})
  clearInterval(timer)
  assert.ok(turns >= 3, `${turns} turns`)
  assert.deepEqual(matcher.match(['a word19999 b']), [{ ruleId: '19', excerpt: 'word19999' }])
})
