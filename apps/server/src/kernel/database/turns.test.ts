import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Turns } from './turns.ts'

/** Work that ends when the test says so, and notes when it begins. */
function recorder(turns: Turns) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    add(key: string, name = key): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      return turns.run(key, () => {
        begun.push(name)
        ends.push(resolve)
        return promise
      })
    },
    async endFirst(): Promise<void> {
      ends.shift()?.()
      await turnOfTheLoop()
    },
  }
}

test('DATA-18: work of one key runs in order, one piece at a time, and keys take turns', async () => {
  const { begun, add, endFirst } = recorder(new Turns({ atOnce: 2, maxWaiting: 10, maxWaitMs: 1000 }))
  const work = [
    add('a', 'a1'),
    add('a', 'a2'),
    add('a', 'a3'),
    add('b', 'b1'),
    add('c', 'c1'),
    add('c', 'c2'),
  ]
  await turnOfTheLoop()
  assert.deepEqual(begun, ['a1', 'b1'])
  await endFirst()
  assert.deepEqual(begun.slice(2), ['a2'])
  await endFirst()
  assert.deepEqual(begun.slice(3), ['c1'])
  for (let left = 4; left > 0; left -= 1) await endFirst()
  await Promise.all(work)
  assert.deepEqual(begun.slice(4), ['a3', 'c2'])
})

test('DATA-18: work is refused if too much of its key is waiting, and in its turn if it has waited too long', async (t) => {
  const turns = new Turns({ atOnce: 2, maxWaiting: 1, maxWaitMs: 1000 })
  const { begun, add, endFirst } = recorder(turns)
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const first = add('a', 'a1')
  const late = assert.rejects(add('a', 'a2'), { code: 'unavailable' })
  await assert.rejects(add('a', 'a3'), { code: 'unavailable' })
  const other = add('b')
  await turnOfTheLoop()
  now = 1001
  await endFirst()
  await Promise.all([first, late])
  const next = add('a', 'a4')
  await endFirst()
  await endFirst()
  await Promise.all([other, next])
  assert.deepEqual([begun, turns.waiting], [['a1', 'b', 'a4'], 0])
})

test('DATA-18: failed work makes room for the next', async () => {
  const turns = new Turns({ atOnce: 1, maxWaiting: 10, maxWaitMs: 1000 })
  const failing = turns.run('a', () => Promise.reject(new Error('broken')))
  const next = turns.run('a', async () => 'done')
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

test('DATA-18: after work that rests, the next of its key waits, and other keys do not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const turns = new Turns({ atOnce: 1, maxWaiting: 10, maxWaitMs: 1000 })
  const begun: string[] = []
  const work = (name: string) => async () => void begun.push(name)
  const first = turns.run('a', work('a1'), () => 200)
  const next = turns.run('a', work('a2'))
  await Promise.all([first, turns.run('b', work('b1'))])
  t.mock.timers.tick(199)
  await turnOfTheLoop()
  assert.deepEqual(begun, ['a1', 'b1'])
  t.mock.timers.tick(1)
  await next
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
})
