import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layerHeight, ShownHeights } from './shown-heights.ts'

test('CALLWINDOW-1: a height is that of the layer which fills it, with a tenth to spare', () => {
  assert.deepEqual(
    [0, -1, 60, 180, 198, 199, 360, 800, 9000].map(layerHeight),
    [0, 0, 90, 180, 180, 240, 360, 1080, 4320],
  )
})

test('CALLWINDOW-1: the largest place of a picture counts, and a picture without a place is none', () => {
  const shown = new ShownHeights()
  const ada = { user_id: 'ada', source: 'camera' } as const
  const [tile, window] = [{}, {}]
  assert.equal(shown.of(ada), undefined)
  assert.equal(shown.set(ada, tile, 0), 'sight')
  assert.equal(shown.set(ada, window, 360), 'sight')
  assert.equal(shown.set(ada, tile, 180), 'none')
  assert.equal(shown.set(ada, window, null), 'size')
  assert.deepEqual([shown.of(ada), shown.cameras], [180, ['ada']])
  assert.equal(shown.set({ ...ada, source: 'screen' }, tile, 720), 'sight')
  assert.deepEqual(shown.cameras, ['ada'])
  assert.equal(shown.set(ada, tile, null), 'sight')
  assert.deepEqual([shown.of(ada), shown.cameras], [undefined, []])
})
