import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@foyer/sdk/rest'
import { Dice } from '../random.ts'
import { Asker } from './ask.ts'

test('a removal is requested again while a process does not know of the addition yet', async () => {
  const refusals = [notFound()]
  const answer = await asker().askToTake(async () => {
    const refusal = refusals.pop()
    if (refusal !== undefined) throw refusal
  }, [404])
  assert.equal(answer.kind, 'done')
  assert.equal(refusals.length, 0)
})

test('a removal counts as done if there is nothing to remove twice', async () => {
  let times = 0
  const answer = await asker().askToTake(async () => {
    times += 1
    throw notFound()
  }, [404])
  assert.deepEqual({ kind: answer.kind, times }, { kind: 'done', times: 2 })
})

test('any other refusal is not retried', async () => {
  let times = 0
  const answer = await asker().askToTake(async () => {
    times += 1
    throw notFound()
  }, [403])
  assert.deepEqual({ kind: answer.kind, times }, { kind: 'refused', times: 1 })
})

function asker(): Asker {
  return new Asker(new Dice(1, 'asker'))
}

function notFound(): ApiError {
  return new ApiError(404, 'Nobody is there.', new Headers())
}
