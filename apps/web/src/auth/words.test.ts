import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@foyer/sdk/rest'
import { formErrors } from '#src/ui/fields/form-errors.ts'
import { authWords } from './words.ts'

test('REGISTRATION-23: a login of an applicant and of a locked account is refused in sentences of their own', () => {
  const said = (code: string) => formErrors(refusal(code), ['username', 'email', 'password'], authWords)
  assert.deepEqual(said('approval_pending'), {
    form: 'Your account is waiting for approval by the administrators of this server. Try again later.',
  })
  assert.deepEqual(said('account_locked'), {
    form: 'This account has been locked by the administrators of this server.',
  })
})

function refusal(code: string): ApiError {
  return new ApiError(403, 'no', new Headers({ 'x-error-code': code }))
}
