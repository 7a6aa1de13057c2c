import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPosition, moveInGrid } from './grid.ts'

/** Rows of four: the first group ends with two tiles, the second is empty, the third is one row of three. */
const grid = { sizes: [6, 0, 3], columns: 4 }

function walk(group: number, index: number, ...keys: string[]) {
  let position = { group, index }
  for (const key of keys) position = moveInGrid(grid, position, key) ?? { group: -1, index: -1 }
  return [position.group, position.index]
}

test('left and right move across rows and skip empty groups', () => {
  assert.deepEqual(walk(0, 3, 'ArrowRight'), [0, 4])
  assert.deepEqual(walk(0, 5, 'ArrowRight'), [2, 0])
  assert.deepEqual(walk(2, 0, 'ArrowLeft'), [0, 5])
})

test('the first and last tile stop the movement', () => {
  assert.deepEqual(walk(0, 0, 'ArrowLeft'), [0, 0])
  assert.deepEqual(walk(2, 2, 'ArrowRight'), [2, 2])
})

test('up and down keep the column, or go to the end of a shorter row', () => {
  assert.deepEqual(walk(0, 1, 'ArrowDown'), [0, 5])
  assert.deepEqual(walk(0, 3, 'ArrowDown'), [0, 5])
  assert.deepEqual(walk(0, 5, 'ArrowUp'), [0, 1])
})

test('up and down continue in the next group that is not empty', () => {
  assert.deepEqual(walk(0, 5, 'ArrowDown'), [2, 1])
  assert.deepEqual(walk(2, 1, 'ArrowUp'), [0, 5])
  assert.deepEqual(walk(2, 2, 'ArrowUp'), [0, 5])
  assert.deepEqual(walk(2, 2, 'ArrowDown'), [2, 2])
})

test('up from the first row leads out of the grid', () => {
  assert.equal(moveInGrid(grid, { group: 0, index: 2 }, 'ArrowUp'), null)
})

test('Home and End go to the ends of the group', () => {
  assert.deepEqual(walk(0, 2, 'End'), [0, 5])
  assert.deepEqual(walk(0, 4, 'Home'), [0, 0])
})

test('other keys are not handled', () => {
  assert.equal(moveInGrid(grid, { group: 0, index: 0 }, 'a'), undefined)
})

test('the first position is in the first group that is not empty', () => {
  assert.deepEqual(firstPosition({ sizes: [0, 2], columns: 4 }), { group: 1, index: 0 })
  assert.equal(firstPosition({ sizes: [0], columns: 4 }), null)
})
