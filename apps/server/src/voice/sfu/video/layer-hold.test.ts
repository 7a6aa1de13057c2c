import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayerHold } from './layer-hold.ts'

test('BUDGET-8: a layer that was too much waits five seconds, then twice as long each time, up to a minute', () => {
  const hold = new LayerHold()
  assert.ok(hold.permits(720, 0))
  let nowMs = 0
  for (const heldMs of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    hold.begin(720, nowMs)
    assert.ok(!hold.permits(720, nowMs + heldMs - 1) && hold.permits(360, nowMs + 1), `${heldMs} ms`)
    nowMs += heldMs
    assert.ok(hold.permits(720, nowMs))
  }
  nowMs += 31_000
  hold.begin(720, nowMs)
  assert.ok(hold.permits(720, nowMs + 5000))
})

test('BUDGET-8: another picture in the slot waits for nothing', () => {
  const hold = new LayerHold()
  hold.begin(360, 0)
  hold.end()
  assert.ok(hold.permits(720, 1))
})
