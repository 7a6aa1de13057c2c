import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Beat } from './beats.ts'
import { Neighbours } from './neighbours.ts'

const NOW = Date.parse('2026-05-04T12:00:00Z')

/** @param wall of the sender's clock, in milliseconds from the beginning on */
const beat = (wall: number, change: Partial<Beat> = {}): Beat => ({
  process_id: 'other',
  wall: NOW + wall,
  monotonic: wall,
  lost_since: null,
  is_leaving: false,
  ...change,
})

/** Both clocks start at zero, and advance by `pass`. */
function holdClocks(context: TestContext) {
  context.mock.timers.enable({ apis: ['Date'], now: NOW })
  let now = 0
  context.mock.method(performance, 'now', () => now)
  return (ms: number) => {
    now += ms
    context.mock.timers.tick(ms)
  }
}

test('PROCESS-22: a neighbour whose beat is late is in doubt since its last punctual beat', (context) => {
  const pass = holdClocks(context)
  const neighbours = new Neighbours()
  // Its clock is a second ahead, and that is no matter.
  assert.equal(neighbours.receive(beat(1000)), undefined)
  pass(1400)
  assert.equal(neighbours.receive(beat(1500)), undefined, 'a moment late')
  assert.equal(neighbours.isAnyInDoubt(), false)
  pass(700)
  assert.deepEqual(neighbours.receive(beat(2000)), { since: NOW + 1500, endedId: undefined })
  assert.equal(neighbours.isAnyInDoubt(), true)
  pass(500)
  assert.equal(neighbours.receive(beat(2500)), undefined, 'what is in doubt is being read')
})

test('PROCESS-22: a clock that is set, here or there, makes no neighbour late', (context) => {
  const pass = holdClocks(context)
  const neighbours = new Neighbours()
  neighbours.receive(beat(0))
  pass(500)
  context.mock.timers.setTime(NOW + 10_500)
  assert.equal(neighbours.receive(beat(500)), undefined, 'ours')
  pass(500)
  assert.equal(neighbours.receive({ ...beat(1000), wall: NOW - 9000 }), undefined, 'theirs')
  assert.equal(neighbours.isAnyInDoubt(), false)
})

test('PROCESS-22: a clock that is corrected gradually makes no neighbour late', (context) => {
  const pass = holdClocks(context)
  const neighbours = new Neighbours()
  for (let beats = 0; beats < 20_000; beats += 1) {
    const wall = 500 * beats * (1 - 0.0004)
    assert.equal(
      neighbours.receive({ ...beat(wall), monotonic: 500 * beats }),
      undefined,
      `after ${beats} beats`,
    )
    pass(500)
  }
})

test('PROCESS-22: events that a neighbour could not publish are reported once', () => {
  const neighbours = new Neighbours()
  const lost = { lost_since: NOW - 500 }
  assert.deepEqual(neighbours.receive(beat(0, lost)), { since: NOW - 500, endedId: undefined })
  assert.equal(neighbours.receive(beat(1, lost)), undefined)
})

test('PROCESS-27: events of all cut-off processes are read once, from the first cut-off on', () => {
  const neighbours = new Neighbours()
  const [first, second] = [
    { id: 'first', lost_since: NOW },
    { id: 'second', lost_since: NOW + 300 },
  ]
  assert.equal(neighbours.receiveCutOff([]), undefined)
  assert.equal(neighbours.isAnyInDoubt(), false)
  assert.equal(neighbours.receiveCutOff([second, first]), NOW)
  assert.equal(neighbours.receiveCutOff([first, second]), undefined, 'it is known')
  assert.equal(neighbours.receiveCutOff(undefined), undefined)
  assert.equal(neighbours.receiveCutOff([first, { ...second, lost_since: NOW + 900 }]), NOW + 900)
  assert.equal(neighbours.isAnyInDoubt(), true)
})

test('PROCESS-27: events of a returning process may be old, by its own clock', (context) => {
  const pass = holdClocks(context)
  const neighbours = new Neighbours()
  assert.equal(neighbours.returning('other'), undefined, 'of a clock nothing is known yet')
  // Its clock is five seconds behind, and its beat took a tenth of a second.
  neighbours.receive(beat(-5100))
  assert.equal(neighbours.returning('other'), 5100)
  for (let beats = 1; beats <= 22; beats += 1) {
    pass(500)
    neighbours.receive(beat(-5100 + 500 * beats))
  }
  assert.equal(neighbours.returning('other'), undefined, 'it has been heard for a while')
  pass(100_000)
  assert.equal(neighbours.takeSilent().length, 1)
  assert.equal(neighbours.returning('other'), 5100)
  neighbours.receive(beat(6400))
  assert.equal(neighbours.returning('other'), 5150, 'a beat that was on its way all the time sets no clock')
  neighbours.receive({ ...beat(111_000), monotonic: 111_000 - 60_000 })
  assert.equal(neighbours.returning('other'), 0, 'a clock that was set is another one')
})
