import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeBeside } from './place-beside.ts'

const placing = { size: { width: 80, height: 20 }, window: { width: 400, height: 300 }, isRightToLeft: false }
const inTheMiddle = { left: 190, top: 140, right: 210, bottom: 160 }

test('a hint is centred on the given side', () => {
  assert.deepEqual(placeBeside(inTheMiddle, { ...placing, side: 'top' }), { x: 160, y: 112 })
  assert.deepEqual(placeBeside(inTheMiddle, { ...placing, side: 'bottom' }), { x: 160, y: 168 })
  assert.deepEqual(placeBeside(inTheMiddle, { ...placing, side: 'inline-end' }), { x: 218, y: 140 })
  const mirrored = placeBeside(inTheMiddle, { ...placing, side: 'inline-end', isRightToLeft: true })
  assert.deepEqual(mirrored, { x: 102, y: 140 })
})

test('at the edge of the window a hint moves to the other side, and never outside', () => {
  const inCorner = { left: 380, top: 2, right: 400, bottom: 22 }
  assert.deepEqual(placeBeside(inCorner, { ...placing, side: 'top' }), { x: 316, y: 30 })
  assert.deepEqual(placeBeside(inCorner, { ...placing, side: 'inline-end' }), { x: 292, y: 4 })
})
