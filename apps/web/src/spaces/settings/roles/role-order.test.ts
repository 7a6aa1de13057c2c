import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRole } from '#src/store/samples.ts'
import { arranged, movableRange, moved, positionAt } from './role-order.ts'

test('a moved role shifts the roles in between', () => {
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 'c', 0), ['c', 'a', 'b', 'd'])
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 'a', 2), ['b', 'c', 'a', 'd'])
})

test('an order that lacks a role or has a deleted one is ignored', () => {
  const [a, b] = [sampleRole('a'), sampleRole('b')]
  assert.deepEqual(arranged([a, b], ['b', 'a']), [b, a])
  assert.deepEqual(arranged([a, b], ['b']), [a, b])
  assert.deepEqual(arranged([a, b], ['c', 'b', 'a']), [b, a])
})

test('the index gives the position; @everyone is last', () => {
  assert.deepEqual(
    [0, 1, 2].map((index) => positionAt(index, 3)),
    [2, 1, 0],
  )
})

test('roles move among those below the user, and never below @everyone', () => {
  const roles = [3, 2, 1, 0].map((position) => sampleRole(`role-${position}`, { position }))
  assert.deepEqual(
    movableRange(roles, () => true),
    [0, 2],
  )
  assert.deepEqual(
    movableRange(roles, (role) => role.position < 2),
    [2, 2],
  )
  const [first, last] = movableRange(roles, () => false)
  assert.ok(first > last, 'the range is empty')
})
