import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reloading } from './reloading.ts'

test('many calls during a load lead to one more, which begins after it', async () => {
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const reload = reloading(async (isStale) => {
    log.push('begin')
    if (log.length === 1) await first.promise
    log.push(isStale() ? 'stale' : 'end')
  })
  const calls = [reload(), ...Array.from({ length: 500 }, reload)]
  first.resolve()
  await Promise.all(calls)
  assert.deepEqual(log, ['begin', 'stale', 'begin', 'end'])
})

test('a failed load is repeated by the next call', async () => {
  let loads = 0
  const reload = reloading(async () => {
    loads += 1
    throw new Error('the server cannot be reached')
  })
  await reload()
  await reload()
  assert.equal(loads, 2)
})
