import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('PROCESS-22: who is heard later than before is in doubt from the last beat on that came in time', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: NOW })
  const neighbours = new Neighbours()
  // Its clock is a second ahead, and that is no matter.
  assert.equal(neighbours.hear(beat(1000)), undefined)
  context.mock.timers.tick(1400)
  assert.equal(neighbours.hear(beat(1500)), undefined, 'a moment late')
  assert.equal(neighbours.isAnyInDoubt(), false)
  context.mock.timers.tick(700)
  assert.deepEqual(neighbours.hear(beat(2000)), { since: NOW + 1500, endedId: undefined })
  assert.equal(neighbours.isAnyInDoubt(), true)
  context.mock.timers.tick(500)
  assert.equal(neighbours.hear(beat(2500)), undefined, 'what is in doubt is being read')
})

test('PROCESS-22: what a neighbour could not publish is told once', () => {
  const neighbours = new Neighbours()
  const lost = { lost_since: NOW - 500 }
  assert.deepEqual(neighbours.hear(beat(0, lost)), { since: NOW - 500, endedId: undefined })
  assert.equal(neighbours.hear(beat(1, lost)), undefined)
})
