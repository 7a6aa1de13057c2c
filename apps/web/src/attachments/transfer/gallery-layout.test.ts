import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { boxOf, GALLERY_COLUMNS, spansOf } from './gallery-layout.ts'

test('any number of pictures fills the grid without gaps', () => {
  for (let count = 2; count <= MAX_MESSAGE_FILES; count += 1) {
    const spans = spansOf(count)
    const cells = spans.reduce((sum, { columns, rows }) => sum + columns * rows, 0)
    assert.equal(spans.length, count)
    assert.equal(cells % GALLERY_COLUMNS, 0, `${count} pictures`)
  }
  const widths = (count: number) => spansOf(count).map(({ columns }) => columns)
  assert.deepEqual(widths(2), [3, 3])
  assert.deepEqual(widths(5), [3, 3, 2, 2, 2])
  assert.deepEqual(widths(7), [6, 2, 2, 2, 2, 2, 2])
})

test('a single picture is scaled down to fit and keeps its aspect ratio', () => {
  assert.deepEqual(boxOf({ width: 200, height: 100 }), { width: 200, height: 100 })
  assert.deepEqual(boxOf({ width: 4160, height: 2080 }), { width: 416, height: 208 })
  assert.deepEqual(boxOf({ width: 1000, height: 3360 }), { width: 100, height: 336 })
})

test('tiny, very long and unmeasured pictures have a minimum size', () => {
  assert.deepEqual(boxOf({ width: 1, height: 1 }), { width: 72, height: 72 })
  assert.deepEqual(boxOf({ width: 10_000, height: 10 }), { width: 416, height: 72 })
  assert.deepEqual(boxOf({ width: null, height: null }), { width: 320, height: 240 })
})
