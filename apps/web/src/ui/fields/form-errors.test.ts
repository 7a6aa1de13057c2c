import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { errorMessage, formErrors } from './form-errors.ts'

const fields = ['username', 'email', 'password']

test('a message is shown at the field it names', () => {
  assert.deepEqual(formErrors(refusal('body/email must be an email address'), fields), {
    email: 'Email must be an email address.',
  })
})

test('a message is shown at the field its code names', () => {
  assert.deepEqual(formErrors(refusal('this one is in use', 'username_taken'), fields), {
    username: 'This one is in use.',
  })
})

test('a message that names several fields or none is shown below the form', () => {
  assert.deepEqual(formErrors(refusal('email or password is wrong'), fields), {
    form: 'Email or password is wrong.',
  })
  assert.deepEqual(Object.keys(formErrors(refusal('too many requests, try again later'), fields)), ['form'])
  assert.deepEqual(Object.keys(formErrors(new NetworkError('x'), fields)), ['form'])
})

test('where the server and the client use different names, the client’s are shown', () => {
  const refused = refusal('email or password is wrong', 'invalid_login')
  assert.deepEqual(formErrors(refused, fields), { form: 'Incorrect email, username or password.' })
})

test('REGISTRATION-23: a refusal by the rules is shown at its field', () => {
  const shown = (message: string, code: string) =>
    Object.keys(formErrors(refusal(message, code), [...fields, 'invite', 'answer']))
  assert.deepEqual(shown('this invite does not exist, has expired or is used up', 'invite_unusable'), [
    'invite',
  ])
  assert.deepEqual(shown('this server accepts new accounts only with an invite', 'invite_required'), [
    'invite',
  ])
  assert.deepEqual(shown('answer the registration question', 'answer_required'), ['answer'])
  assert.deepEqual(
    shown('this server does not accept email addresses of this domain', 'email_domain_refused'),
    ['email'],
  )
})

test('texts of a form override the general ones', () => {
  const words = { invalid_login: 'That is not it.', unknown_user: 'Nobody is called that.' }
  assert.deepEqual(formErrors(refusal('user not found', 'unknown_user'), fields, words), {
    form: 'Nobody is called that.',
  })
  assert.deepEqual(formErrors(refusal('wrong', 'invalid_login'), fields, words), { form: 'That is not it.' })
  assert.deepEqual(formErrors(refusal('too many', 'rate_limited'), fields, words), { form: 'Too many.' })
})

test('RATE-8: a rate-limited user sees when to try again, if the server says so', () => {
  assert.equal(errorMessage(tooOften(40)), 'You’re going too fast. Try again in 40 seconds.')
  assert.equal(errorMessage(tooOften(300)), 'You’re going too fast. Try again in 5 minutes.')
  const unknown = new ApiError(429, 'too many requests', new Headers({ 'x-error-code': 'rate_limited' }))
  assert.equal(errorMessage(unknown), 'Too many requests.')
  const busy = new ApiError(503, 'the server is busy', new Headers({ 'retry-after': '2' }))
  assert.equal(errorMessage(busy), 'The server is busy.')
})

test('AUTOMOD-47: the words of a rule are shown unchanged, the server’s own in a sentence', () => {
  assert.equal(errorMessage(refusal('body count is no joke', 'automod_refused')), 'body count is no joke')
  assert.equal(
    errorMessage(refusal('a rule of this space does not allow this', 'automod_refused')),
    'A rule of this space doesn’t allow this.',
  )
})

function tooOften(seconds: number): ApiError {
  const headers = new Headers({ 'x-error-code': 'rate_limited', 'retry-after': `${seconds}` })
  return new ApiError(429, 'too many requests, try again later', headers)
}

function refusal(message: string, code?: string): ApiError {
  return new ApiError(400, message, new Headers(code === undefined ? {} : { 'x-error-code': code }))
}
