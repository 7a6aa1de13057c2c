import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { JoinCost, JoinQueue } from './join-queue.ts'
import { reconnectSpreadMs } from './reconnecting.ts'

test('ADMISSION-1: only so much is carried out at once, in order of arrival', async () => {
  const queue = new JoinQueue()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) => () => {
    begun.push(number)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const all = Array.from({ length: 40 }, (_, number) => queue.run(JoinCost.Identify, work(number)))
  const last = queue.run(JoinCost.Resume, work(40))
  await turn()
  assert.deepEqual(
    begun,
    Array.from({ length: 16 }, (_, number) => number),
  )
  assert.equal(queue.length, 25)
  ends[3]?.()
  await turn()
  assert.deepEqual(begun.slice(16), [16])
  for (let done = 0; done < ends.length; done += 1) {
    ends[done]?.()
    await turn()
  }
  await Promise.all([...all, last])
  assert.deepEqual(
    begun,
    Array.from({ length: 41 }, (_, number) => number),
  )
})

test('ADMISSION-1: failed work makes room, too', async () => {
  const queue = new JoinQueue()
  const fail = () => Promise.reject(new Error('away'))
  for (let turns = 0; turns < 100; turns += 1)
    await assert.rejects(queue.run(JoinCost.Identify, fail), /away/)
  assert.equal(await queue.run(JoinCost.Identify, async () => 'done'), 'done')
})

test('ADMISSION-7: the time over which clients come back grows with their number', () => {
  assert.deepEqual([0, 1, 3000, 10_000, 1_000_000].map(reconnectSpreadMs), [3000, 3000, 3000, 10_000, 60_000])
})
