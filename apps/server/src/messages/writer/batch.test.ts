import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeBatch } from './writer.ts'

const keysOf = (entry: string): readonly string[] => entry.match(/#\w+/g) ?? []

test('a repeat waits for the next batch, and the rest stays in order', () => {
  const waiting = ['a', 'b #once', 'c #once', 'd #file #twice', 'e', 'f #new #file', 'g #new']
  const { batch, rest } = takeBatch(waiting, keysOf)
  assert.deepEqual(batch, ['a', 'b #once', 'd #file #twice', 'e', 'g #new'])
  assert.deepEqual(rest, ['c #once', 'f #new #file'])
  assert.deepEqual(takeBatch(rest, keysOf), { batch: rest, rest: [] })
})

test('the oldest 200 of a long queue are taken, and the rest is not touched', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => `${index}`)
  const waiting = ['first #once', 'again #once', ...numbers]
  let looks = 0
  const { batch, rest } = takeBatch(waiting, (entry) => {
    looks += 1
    return keysOf(entry)
  })
  assert.deepEqual(batch, ['first #once', ...numbers.slice(0, 199)])
  assert.deepEqual(rest, ['again #once', ...numbers.slice(199)])
  assert.equal(looks, 201)
})
