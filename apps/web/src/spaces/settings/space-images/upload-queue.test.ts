import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeQueue, emptyQueue, nextInQueue, type QueueChange, type UploadQueue } from './upload-queue.ts'

const file = new File([], 'a.png')

function added(...ids: string[]): QueueChange {
  return { type: 'added', images: ids.map((id) => ({ id, file, name: id })) }
}

function run(...changes: QueueChange[]): UploadQueue {
  return changes.reduce(changeQueue, emptyQueue)
}

test('pictures are uploaded one by one, in the order they were added', () => {
  const queue = run(added('a', 'b'))
  assert.equal(nextInQueue(queue)?.id, 'a')
  const begun = changeQueue(queue, { type: 'begun', id: 'a' })
  assert.equal(nextInQueue(begun), null)
  const finished = changeQueue(begun, { type: 'finished', id: 'a' })
  assert.equal(nextInQueue(finished)?.id, 'b')
  assert.deepEqual([finished.done, finished.total], [1, 2])
})

test('a failed picture keeps its error, and the next one is uploaded', () => {
  const queue = run(
    added('a', 'b'),
    { type: 'begun', id: 'a' },
    { type: 'failed', id: 'a', error: 'no', forAll: false },
  )
  assert.deepEqual(
    queue.images.map(({ state, error }) => [state, error]),
    [
      ['failed', 'no'],
      ['waiting', null],
    ],
  )
  assert.equal(nextInQueue(queue)?.id, 'b')
})

test('an error that affects all pictures fails the waiting ones', () => {
  const queue = run(
    added('a', 'b'),
    { type: 'begun', id: 'a' },
    { type: 'failed', id: 'a', error: 'no', forAll: true },
  )
  assert.deepEqual(
    queue.images.map(({ state }) => state),
    ['failed', 'failed'],
  )
  assert.deepEqual([queue.done, queue.total], [2, 2])
})

test('a failed picture can be retried or dismissed', () => {
  const failed = run(
    added('a', 'b'),
    { type: 'begun', id: 'a' },
    { type: 'failed', id: 'a', error: 'no', forAll: true },
  )
  const retried = changeQueue(failed, { type: 'retried', id: 'b' })
  assert.equal(nextInQueue(retried)?.id, 'b')
  assert.deepEqual([retried.done, retried.total], [0, 1])
  const dismissed = changeQueue(retried, { type: 'dismissed', id: 'a' })
  assert.deepEqual(
    dismissed.images.map(({ id }) => id),
    ['b'],
  )
})

test('pictures added during an upload join its count', () => {
  const queue = run(added('a'), { type: 'begun', id: 'a' }, added('b'))
  assert.deepEqual([queue.done, queue.total], [0, 2])
})
