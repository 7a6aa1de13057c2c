import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitted, MAX_SCALE, movedBy, WHOLE, zoomedAt } from './zoom.ts'

const stage = { frame: { width: 800, height: 600 }, picture: { width: 800, height: 400 } }

test('zooming keeps the point under the pointer in place', () => {
  const point = { x: 100, y: 50 }
  const zoom = zoomedAt({ scale: 2, x: 0, y: 0 }, 1.5, point, stage)
  const under = (scale: number, offset: number, at: number) => (at - offset) / scale
  assert.equal(under(zoom.scale, zoom.x, point.x), under(2, 0, point.x))
  assert.equal(under(zoom.scale, zoom.y, point.y), under(2, 0, point.y))
})

test('the scale stays between the fitted size and the maximum', () => {
  assert.deepEqual(zoomedAt({ scale: 1.5, x: 200, y: 0 }, 0.1, { x: 0, y: 0 }, stage), WHOLE)
  assert.equal(zoomedAt(WHOLE, 1000, { x: 0, y: 0 }, stage).scale, MAX_SCALE)
})

test('no edge can be moved into the frame, and a picture that fits stays centered', () => {
  assert.deepEqual(movedBy(WHOLE, { x: 300, y: -300 }, stage), WHOLE)
  assert.deepEqual(movedBy({ scale: 2, x: 0, y: 0 }, { x: 5000, y: -5000 }, stage), {
    scale: 2,
    x: 400,
    y: -100,
  })
})

test('a small picture is not enlarged to fit', () => {
  assert.deepEqual(fitted({ width: 20, height: 10 }, stage.frame), { width: 20, height: 10 })
  assert.deepEqual(fitted({ width: 1600, height: 600 }, stage.frame), { width: 800, height: 300 })
})
