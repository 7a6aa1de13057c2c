import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache } from './cache.ts'
import { Freshness } from './cluster/freshness.ts'

test('AUTH-28: unknown keys push nothing out of a cache', async () => {
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

test('ACCESS-2: a cache bounded by weight keeps the most recently used entries up to that weight', async () => {
  const loads: string[] = []
  const bound = { maxWeight: 100, weigh: (value: string) => value.length }
  const cache = new Cache<string>(bound, new Freshness(), async (key) => {
    loads.push(key)
    return key.slice(0, 1).repeat(Number(key.slice(1)))
  })
  for (const key of ['a40', 'b40', 'a40', 'c40']) await cache.get(key)
  assert.deepEqual(loads, ['a40', 'b40', 'c40'])
  assert.equal(cache.peek('a40')?.length, 40)
  assert.equal(cache.peek('b40'), undefined, 'the three weigh 120')
  await cache.get('d20')
  assert.ok(cache.peek('a40') && cache.peek('c40') && cache.peek('d20'))
  cache.drop('c40')
  await cache.get('b40')
  assert.ok(cache.peek('a40') && cache.peek('b40') && cache.peek('d20'))
})
