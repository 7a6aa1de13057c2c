import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readRepository } from '../architecture/repository-files.ts'
import { LAST, listTier } from './tiers.ts'

const root = resolve(import.meta.dirname, '../..')

test('bin/test and the rest of bin/check cover all tests, each once', () => {
  const all = Object.keys(readRepository(root)).filter((path) => path.endsWith('.test.ts'))
  assert.ok(all.length > 500)
  const run = [...listTier(root, 'first'), ...listTier(root, 'rest'), ...LAST]
  assert.deepEqual(run.toSorted(), all.toSorted())
})
