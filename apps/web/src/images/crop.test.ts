import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BANNER_CUT, fittedSize, TILE_CUT } from './crop.ts'

test('a large area is scaled down to fit and keeps its aspect ratio', () => {
  assert.deepEqual(fittedSize({ width: 3000, height: 3000 }, TILE_CUT), { width: 1024, height: 1024 })
  assert.deepEqual(fittedSize({ width: 3600, height: 1200 }, BANNER_CUT), { width: 1800, height: 600 })
  assert.deepEqual(fittedSize({ width: 2048, height: 1024 }, TILE_CUT), { width: 1024, height: 512 })
})

test('a small area is not scaled', () => {
  assert.deepEqual(fittedSize({ width: 60, height: 20 }, BANNER_CUT), { width: 60, height: 20 })
})

test('a very thin area is at least one pixel high', () => {
  assert.deepEqual(fittedSize({ width: 9000, height: 1 }, BANNER_CUT), { width: 1800, height: 1 })
})
