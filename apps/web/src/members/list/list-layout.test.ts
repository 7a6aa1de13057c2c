import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEADING, layOut, ROW, rangesFor, rowsIn, topOf } from './list-layout.ts'

const layout = layOut([
  { id: 'admins', count: 2 },
  { id: 'online', count: 50_000 },
  { id: 'offline', count: 3 },
])

test('every group starts where the previous one ends', () => {
  assert.deepEqual(layout.sections, [
    { id: 'admins', count: 2, first: 0, top: 0 },
    { id: 'online', count: 50_000, first: 2, top: HEADING + 2 * ROW },
    { id: 'offline', count: 3, first: 50_002, top: 2 * HEADING + 50_002 * ROW },
  ])
  assert.deepEqual([layout.count, layout.height], [50_005, 3 * HEADING + 50_005 * ROW])
  assert.equal(topOf(layout, 1), HEADING + ROW)
  assert.equal(topOf(layout, 2), 2 * HEADING + 2 * ROW)
  assert.equal(topOf(layout, 50_004), layout.height - ROW)
})

test('only visible rows and a few around them are rendered', () => {
  assert.deepEqual(rowsIn(layout, 0, 40), { from: 0, to: 21 })
  const [top, bottom] = [topOf(layout, 20_000), topOf(layout, 20_010)]
  assert.deepEqual(rowsIn(layout, top, bottom), { from: 19_992, to: 20_018 })
  assert.deepEqual(rowsIn(layout, layout.height - 10, layout.height), { from: 49_994, to: 50_004 })
  assert.deepEqual(rowsIn(layOut([]), 0, 40), { from: 0, to: -1 })
})

test('whole chunks are requested, up to the limit', () => {
  assert.deepEqual(rangesFor({ from: 0, to: -1 }, 3), [[0, 99]])
  assert.deepEqual(rangesFor({ from: 3, to: 40 }, 3), [[0, 99]])
  assert.deepEqual(rangesFor({ from: 90, to: 130 }, 3), [
    [0, 99],
    [100, 199],
  ])
  assert.equal(rangesFor({ from: 0, to: 900 }, 3).length, 3)
})
