import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { StandingQueue } from './standing-queue.ts'

/** Sends a packet every 10 ms, delayed as `delay` says. @returns the number of packets after which a queue stood */
function run(queue: StandingQueue, fromMs: number, untilMs: number, delay: (atMs: number) => number): number {
  let standing = 0
  for (let atMs = fromMs; atMs < untilMs; atMs += 10) {
    queue.add(atMs, atMs + delay(atMs))
    standing += Number(queue.isStanding)
  }
  return standing
}

suite('BUDGET-9: a queue', () => {
  test('stands while all packets of some spans are delayed, whatever the clock of the client', () => {
    const queue = new StandingQueue()
    assert.equal(
      run(queue, 0, 1000, () => 7_000_000),
      0,
    )
    run(queue, 1000, 1300, () => 7_000_020)
    assert.equal(queue.isStanding, true)
    run(queue, 1300, 1350, () => 7_000_000)
    assert.equal(queue.isStanding, false)
  })

  test('is not one if only some packets are delayed, by jitter or a pause', () => {
    assert.equal(
      run(new StandingQueue(), 0, 5000, (atMs) => (atMs % 70 < 30 ? 40 - (atMs % 70) : 5)),
      0,
    )
  })

  test('is forgotten after ten seconds, because the route may be longer', () => {
    const queue = new StandingQueue()
    run(queue, 0, 6000, () => 20)
    assert.ok(run(queue, 6000, 10_000, () => 60) > 350)
    assert.equal(
      run(queue, 17_000, 20_000, () => 60),
      0,
    )
  })

  test('is not one after a pause in which the clocks drifted apart', () => {
    const queue = new StandingQueue()
    run(queue, 0, 6000, () => 20)
    assert.equal(
      run(queue, 60_000, 63_000, () => 60),
      0,
    )
  })

  test('is not one because packets are reported in another order than they arrived in', () => {
    const queue = new StandingQueue()
    run(queue, 0, 1000, () => 20)
    for (const [sentMs, arrivedMs] of [
      [1010, 1030],
      [1030, 1090],
      [985, 1045],
      [1035, 1095],
      [986, 1046],
    ] as const)
      queue.add(sentMs, arrivedMs)
    assert.equal(queue.isStanding, false)
  })

  test('survives times that go back and forth', () => {
    const queue = new StandingQueue()
    for (let at = 0; at < 100_000; at += 1) queue.add(at, at % 2 === 0 ? 1e6 : 0)
    assert.equal(typeof queue.isStanding, 'boolean')
  })
})
