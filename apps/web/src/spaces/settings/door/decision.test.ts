import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@foyer/sdk/rest'
import { sampleUser } from '#src/store/samples.ts'
import { decideOn, idsOf, matchingNewcomers, waitingIdsOf } from './decision.ts'

const joined_at = '2026-03-01T10:00:00.000Z'
const kim = { user: sampleUser('kim', { alias: 'Kimberly' }), joined_at, has_left: false }
const lee = { user: sampleUser('lee'), joined_at, has_left: true }

test('DOOR-46: newcomers are found by any of their names', () => {
  assert.deepEqual(idsOf(matchingNewcomers([kim, lee], 'berl')), ['kim'])
  assert.deepEqual(idsOf(matchingNewcomers([kim, lee], '@LEE')), ['lee'])
  assert.deepEqual(idsOf(matchingNewcomers([kim, lee], '')), ['kim', 'lee'])
})

test('DOOR-46: people who left do not wait', () => {
  assert.deepEqual(waitingIdsOf([kim, lee]), ['kim'])
})

test('DOOR-46: a decision on more people than a request names takes several', async () => {
  const ids = Array.from({ length: 2100 }, (_, index) => String(index))
  const sent: string[][] = []
  await decideOn(ids, async (user_ids) => {
    sent.push(user_ids)
    return { user_ids }
  })
  assert.deepEqual(
    sent.map(({ length }) => length),
    [1000, 1000, 100],
  )
  assert.deepEqual(sent.flat(), ids)
})

test('DOOR-46: people on whom another moderator has decided first are no error', async () => {
  const refuse = (status: number, code: string) => async () => {
    throw new ApiError(status, code, new Headers({ 'x-error-code': code }))
  }
  await decideOn(['kim'], refuse(404, 'unknown_newcomer'))
  await assert.rejects(decideOn(['kim'], refuse(403, 'missing_permission')))
})
