import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { StandingQueue } from './standing-queue.ts'

/** Sends a packet every 10 ms, delayed as `delay` says. @returns the times at which the queue was stuck */
function run(
  queue: StandingQueue,
  fromMs: number,
  untilMs: number,
  delay: (atMs: number) => number,
): number[] {
  const stuckAt: number[] = []
  for (let atMs = fromMs; atMs < untilMs; atMs += 10) {
    const arrivedMs = atMs + delay(atMs)
    queue.add(atMs, arrivedMs)
    if (queue.isStuck(arrivedMs)) stuckAt.push(atMs)
  }
  return stuckAt
}

suite('BUDGET-9: a queue', () => {
  test('stands while all packets of some spans are delayed, whatever the clock of the client', () => {
    const queue = new StandingQueue()
    run(queue, 0, 1000, () => 7_000_000)
    assert.equal(queue.isStanding, false)
    run(queue, 1000, 1300, () => 7_000_020)
    assert.equal(queue.isStanding, true)
    run(queue, 1300, 1350, () => 7_000_000)
    assert.equal(queue.isStanding, false)
  })

  test('is not one if only some packets are delayed, by jitter or a pause', () => {
    const queue = new StandingQueue()
    let standing = 0
    for (let atMs = 0; atMs < 5000; atMs += 10) {
      queue.add(atMs, atMs + (atMs % 70 < 30 ? 40 - (atMs % 70) : 5))
      standing += Number(queue.isStanding)
    }
    assert.equal(standing, 0)
  })

  test('is stuck if it stays long for half a second, and not while it becomes shorter', () => {
    const queue = new StandingQueue()
    assert.deepEqual(
      run(queue, 0, 1000, () => 20),
      [],
    )
    assert.equal(run(queue, 1000, 1800, () => 300).length, 1)
    assert.deepEqual(
      run(queue, 1800, 3500, (atMs) => 300 - (atMs - 1800) / 8),
      [],
    )
  })

  test('counts as a longer route if it never becomes shorter', () => {
    const queue = new StandingQueue()
    run(queue, 0, 1000, () => 20)
    assert.equal(run(queue, 1000, 10_000, () => 90).length, 3)
    assert.equal(queue.isStanding, false)
  })

  test('survives times that go back and forth', () => {
    const queue = new StandingQueue()
    for (let at = 0; at < 100_000; at += 1) queue.add(at, at % 2 === 0 ? 1e6 : 0)
    assert.equal(queue.isStuck(1e6), false)
  })
})
