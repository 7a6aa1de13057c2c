import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache } from './cache.ts'
import { Freshness } from './cluster/freshness.ts'

test('AUTH-28: what is not there pushes nothing out of a cache', async () => {
  const loads: string[] = []
  const cache = new Cache<string | undefined>(2, new Freshness(), async (key) => {
    loads.push(key)
    return key.startsWith('made up') ? undefined : key
  })
  await cache.get('ann')
  for (const key of ['made up 1', 'made up 2', 'made up 3']) assert.equal(await cache.get(key), undefined)
  assert.equal(await cache.get('ann'), 'ann')
  assert.deepEqual(loads, ['ann', 'made up 1', 'made up 2', 'made up 3'])
  for (const key of ['bob', 'cat', 'ann']) await cache.get(key)
  assert.equal(loads.filter((key) => key === 'ann').length, 2, 'what is there does')
})
