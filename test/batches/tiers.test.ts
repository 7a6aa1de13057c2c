import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readRepository } from '../architecture/repository-files.ts'
import { SLOW_RULES } from './slow-rules.ts'
import { LAST, listTier } from './tiers.ts'

const root = resolve(import.meta.dirname, '../..')

test('bin/test and the rest of bin/check cover all tests, each once', () => {
  const all = Object.keys(readRepository(root)).filter((path) => path.endsWith('.test.ts'))
  assert.ok(all.length > 500)
  const run = [...listTier(root, 'first'), ...listTier(root, 'rest'), ...LAST]
  assert.deepEqual(run.toSorted(), all.toSorted())
})

test('each pattern of slow tests finds one, and none of these is run by bin/test', () => {
  const first = new Set(listTier(root, 'first'))
  for (const pattern of SLOW_RULES) {
    const found = globSync(pattern, { cwd: root })
    assert.notEqual(found.length, 0, `${pattern} finds no test`)
    assert.deepEqual(
      found.filter((path) => first.has(path)),
      [],
    )
  }
})
