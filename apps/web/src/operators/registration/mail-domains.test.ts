import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailDomainsIn, wrongDomainIn } from './mail-domains.ts'

test('REGISTRATION-40: mail domains are read from lines, with or without @', () => {
  assert.deepEqual(mailDomainsIn('example.org\n@example.net, school.example\n\n'), [
    'example.org',
    'example.net',
    'school.example',
  ])
  assert.deepEqual(mailDomainsIn(' \n '), [])
})

test('REGISTRATION-40: a whole address, or a word without a dot, is no mail domain', () => {
  assert.equal(wrongDomainIn(['example.org', 'bücher.example', 'a-b.example']), undefined)
  for (const wrong of ['ada@example.org', 'example', '.example.org', 'example.org-', 'a b', 'x'.repeat(254)])
    assert.equal(wrongDomainIn(['example.org', wrong]), wrong)
})
