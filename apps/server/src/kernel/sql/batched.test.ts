import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batched } from './batched.ts'

const LONG_MS = 60_000

/** Records the keys of each batch, and answers a question with its own key. */
function recordBatches(pauseMs: number) {
  const batches: string[][] = []
  const bounds = { maxKeys: 3, atOnce: 2, pauseMs }
  const batched = new Batched<string, string>(bounds, async (keys) => {
    batches.push([...keys])
    return (key) => key
  })
  const askAll = (keys: readonly string[]) => Promise.all(keys.map((key) => batched.ask(key)))
  return { batches, batched, askAll }
}

test('ADMISSION-8: questions that arrive during the pause after a batch are answered by one statement', async () => {
  const { batches, batched, askAll } = recordBatches(300)
  assert.deepEqual(await askAll(['a', 'b']), ['a', 'b'])
  const third = batched.ask('c')
  await nextTurn()
  await nextTurn()
  assert.deepEqual(await Promise.all([third, batched.ask('d')]), ['c', 'd'])
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('ADMISSION-8: a full batch does not wait for the end of the pause', async () => {
  const { batches, askAll } = recordBatches(LONG_MS)
  await askAll(['a', 'b'])
  assert.deepEqual(await askAll(['c', 'd', 'e']), ['c', 'd', 'e'])
  assert.equal(batches.length, 2)
})

test('ADMISSION-8: lone questions, one after the other, do not wait', async () => {
  const { batches, batched } = recordBatches(LONG_MS)
  for (const key of ['a', 'b', 'c']) assert.equal(await batched.ask(key), key)
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
})
