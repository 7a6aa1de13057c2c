import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throttle } from './throttle.ts'

test('a throttled action runs at once, and once more for all calls within the span', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const { run } = throttle(() => (runs += 1), 1500)
  run()
  assert.equal(runs, 1)
  run()
  run()
  assert.equal(runs, 1)
  mock.timers.tick(1500)
  assert.equal(runs, 2)
  run()
  assert.equal(runs, 2)
  mock.timers.tick(1500)
  assert.equal(runs, 3)
  mock.timers.tick(1500)
  assert.equal(runs, 3)
  run()
  assert.equal(runs, 4)
})

test('a stopped throttle drops the run that is still to come', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const { run, stop } = throttle(() => (runs += 1), 1500)
  run()
  run()
  stop()
  mock.timers.tick(3000)
  assert.equal(runs, 1)
  run()
  assert.equal(runs, 2)
  stop()
})
