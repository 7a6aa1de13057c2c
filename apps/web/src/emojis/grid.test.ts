import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPlace, moveInGrid } from './grid.ts'

/** Rows of four: the first group ends with two tiles, the second is empty, the third is one row of three. */
const grid = { sizes: [6, 0, 3], columns: 4 }

function walk(group: number, index: number, ...keys: string[]) {
  let place = { group, index }
  for (const key of keys) place = moveInGrid(grid, place, key) ?? { group: -1, index: -1 }
  return [place.group, place.index]
}

test('left and right go from tile to tile, over the ends of rows and past empty groups', () => {
  assert.deepEqual(walk(0, 3, 'ArrowRight'), [0, 4])
  assert.deepEqual(walk(0, 5, 'ArrowRight'), [2, 0])
  assert.deepEqual(walk(2, 0, 'ArrowLeft'), [0, 5])
})

test('at both ends they stay', () => {
  assert.deepEqual(walk(0, 0, 'ArrowLeft'), [0, 0])
  assert.deepEqual(walk(2, 2, 'ArrowRight'), [2, 2])
})

test('up and down keep to their column, or to the end of a shorter row', () => {
  assert.deepEqual(walk(0, 1, 'ArrowDown'), [0, 5])
  assert.deepEqual(walk(0, 3, 'ArrowDown'), [0, 5])
  assert.deepEqual(walk(0, 5, 'ArrowUp'), [0, 1])
})

test('up and down go on in the next group that has something', () => {
  assert.deepEqual(walk(0, 5, 'ArrowDown'), [2, 1])
  assert.deepEqual(walk(2, 1, 'ArrowUp'), [0, 5])
  assert.deepEqual(walk(2, 2, 'ArrowUp'), [0, 5])
  assert.deepEqual(walk(2, 2, 'ArrowDown'), [2, 2])
})

test('up from the first row leads out of the grid', () => {
  assert.equal(moveInGrid(grid, { group: 0, index: 2 }, 'ArrowUp'), null)
})

test('Home and End are those of the group', () => {
  assert.deepEqual(walk(0, 2, 'End'), [0, 5])
  assert.deepEqual(walk(0, 4, 'Home'), [0, 0])
})

test('other keys lead nowhere', () => {
  assert.equal(moveInGrid(grid, { group: 0, index: 0 }, 'a'), undefined)
})

test('the first place is in the first group that has something', () => {
  assert.deepEqual(firstPlace({ sizes: [0, 2], columns: 4 }), { group: 1, index: 0 })
  assert.equal(firstPlace({ sizes: [0], columns: 4 }), null)
})
