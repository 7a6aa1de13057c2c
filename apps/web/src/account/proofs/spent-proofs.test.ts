import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { isSpentBy } from './spent-proofs.ts'

const refusal = (status: number, code: string) =>
  new ApiError(status, code, new Headers({ 'x-error-code': code }))

test('FACTOR-13: after a refusal that used up the proof, another one is needed', () => {
  for (const code of ['proof_ended', 'last_way_in', 'email_taken', 'unknown_identity'])
    assert.equal(isSpentBy(refusal(400, code)), true, code)
  assert.equal(isSpentBy(refusal(500, 'internal_error')), true)
})

test('FACTOR-13: a missing or wrong code, and a request that the server did not take, keep the proof', () => {
  for (const code of ['code_required', 'wrong_code', 'invalid_request'])
    assert.equal(isSpentBy(refusal(400, code)), false, code)
  assert.equal(isSpentBy(refusal(429, 'rate_limited')), false)
  assert.equal(isSpentBy(new NetworkError('gone')), false)
  assert.equal(isSpentBy(null), false)
})
