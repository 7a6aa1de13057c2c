import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaPath, axisEnd, extentOf, linePath } from './scale.ts'

test('CONSOLE-3: an axis ends at a round number above the highest value', () => {
  assert.deepEqual(
    [0, 0.3, 1, 3, 7, 9, 41, 1200].map((highest) => axisEnd(highest, false)),
    [1, 0.4, 1, 4, 8, 10, 60, 2000],
  )
  assert.equal(axisEnd(3.5 * 1024 ** 3, true), 4 * 1024 ** 3)
  assert.equal(axisEnd(900, true), 1000)
})

test('CONSOLE-3: a line has a gap where the server was down, and a dot between two gaps', () => {
  assert.equal(linePath([0, 50, null, 100, null], 100), 'M0.5 100h0L1.5 50M3.5 0h0')
  assert.equal(areaPath([null, 50, 100, null, 0], 100), 'M1.5 100L1.5 50L2.5 0V100ZM4.5 100L4.5 100V100Z')
  assert.equal(linePath([null, null], 100), '')
})

test('CONSOLE-3: the lowest and highest of no values are none', () => {
  assert.equal(extentOf([null, null]), null)
  assert.deepEqual(extentOf([null, 3, 1, null]), { lowest: 1, highest: 3 })
})
