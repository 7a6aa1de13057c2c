import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSpeed, rememberedSpeed } from './speed.ts'

test('WEB-21: the speed goes from 1 to 1.5 and 2, and back', () => {
  assert.deepEqual([nextSpeed(1), nextSpeed(1.5), nextSpeed(2)], [1.5, 2, 1])
})

test('WEB-21: a remembered speed is one of these', () => {
  assert.deepEqual(['1.5', '2', '3', '', null].map(rememberedSpeed), [1.5, 2, 1, 1, 1])
})
