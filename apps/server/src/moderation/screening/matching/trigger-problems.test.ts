import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { problemOf } from './trigger-problems.ts'

const fine: AutomodTrigger[] = [
  { type: 'words', words: ['foo', '*foo*', 'foo*', 'two words', '🍆', 'c++', '我'], allowed: ['food'] },
  { type: 'links', list: 'allow', hosts: [] },
  {
    type: 'links',
    list: 'deny',
    hosts: ['example.com', '*.example.com', 'müll.de', '10.0.0.1', '[::1]', 'localhost'],
  },
  { type: 'invites' },
  { type: 'mentions', max: 5 },
  { type: 'repeats', count: 3, seconds: 60 },
  { type: 'capitals', percent: 70, min_letters: 10 },
  { type: 'new_accounts', hours: 24 },
  { type: 'attachments', content_types: ['image/*'] },
  { type: 'attachments', sha256: ['0'.repeat(64)] },
]

const wrong: [trigger: AutomodTrigger, problem: RegExp][] = [
  [{ type: 'words' }, /needs words/],
  [{ type: 'words', words: [] }, /1 to 1000 words/],
  [{ type: 'words', words: ['foo'], hosts: [] }, /has no hosts/],
  [{ type: 'words', words: ['f*o'] }, /only once at the beginning/],
  [{ type: 'words', words: ['**foo'] }, /only once at the beginning/],
  [{ type: 'words', words: ['*'] }, /no letters/],
  [{ type: 'words', words: ['\u200b'] }, /no letters/],
  [{ type: 'words', words: ['...'] }, /no letters/],
  [{ type: 'words', words: ['a*'] }, /at least 2 letters/],
  [{ type: 'words', words: ['foo'], allowed: ['f*o'] }, /only once/],
  [{ type: 'links', list: 'allow' }, /needs hosts/],
  [{ type: 'links', hosts: ['a.example'] }, /needs list/],
  [{ type: 'links', list: 'deny', hosts: [] }, /at least one host/],
  ...['https://a.example', 'a.example/b', 'a b', 'a..b', '*', 'a.*', 'me@a.example', 'a.example:80'].map(
    (host): [AutomodTrigger, RegExp] => [{ type: 'links', list: 'deny', hosts: [host] }, /is no host/],
  ),
  [{ type: 'invites', hours: 1 }, /has no hours/],
  [{ type: 'mentions' }, /needs max/],
  [{ type: 'repeats', count: 2 }, /needs seconds/],
  [{ type: 'capitals', percent: 70 }, /needs min_letters/],
  [{ type: 'new_accounts' }, /needs hours/],
  [{ type: 'attachments', sha256: [] }, /at least one of/],
]

test('AUTOMOD-29: a trigger that makes no sense is refused with a sentence', () => {
  for (const trigger of fine) assert.equal(problemOf(trigger), undefined, JSON.stringify(trigger))
  for (const [trigger, problem] of wrong)
    assert.match(problemOf(trigger) ?? 'fine', problem, JSON.stringify(trigger))
})
