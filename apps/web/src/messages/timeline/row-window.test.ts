import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMessage } from '#src/store/samples.ts'
import { listItems, rowInGap, windowAround } from './row-window.ts'
import type { Row } from './rows.ts'

const rows: Row[] = Array.from({ length: 1000 }, (_, index) => {
  const message = sampleMessage(index)
  return { kind: 'message', key: `${index}`, message, grouped: false }
})
const heightOf = () => 50
const reach = { above: 1500, below: 3500 }

test('rows around the view are rendered, and heights replace the others', () => {
  const shown = windowAround(rows, 500, heightOf, reach)
  assert.deepEqual(shown, { from: 470, to: 570 })
  const items = listItems(rows, shown, () => false, heightOf)
  assert.deepEqual(
    items.flatMap((item) => (item.kind === 'gap' ? item.height : [])),
    [470 * 50, 430 * 50],
  )
  assert.equal(items.length, 102)
})

test('the window is cut off at either end of the list', () => {
  assert.deepEqual(windowAround(rows, 999, heightOf, reach), { from: 930, to: 1000 })
  assert.deepEqual(windowAround(rows, 0, heightOf, reach), { from: 0, to: 70 })
  assert.deepEqual(windowAround(rows.slice(0, 3), 2, heightOf, reach), { from: 0, to: 3 })
  assert.deepEqual(windowAround([], 0, heightOf, reach), { from: 0, to: 0 })
})

test('a row that has to stay keeps its place, and the list its total height', () => {
  const items = listItems(rows, { from: 400, to: 420 }, (key) => key === '10', heightOf)
  assert.deepEqual(
    items.slice(0, 4).map(({ key }) => key),
    ['gap-0', '10', 'gap-11', '400'],
  )
  const total = items.reduce((sum, item) => sum + (item.kind === 'gap' ? item.height : 50), 0)
  assert.equal(total, 1000 * 50)
})

test('the row at a depth inside a gap is found', () => {
  assert.deepEqual(rowInGap(rows, 120, heightOf), { key: '2', offset: -20 })
  assert.deepEqual(rowInGap(rows, 0, heightOf), { key: '0', offset: 0 })
  assert.equal(rowInGap(rows.slice(0, 2), 100, heightOf), null)
})
