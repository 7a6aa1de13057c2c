import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instance } from '@foyer/protocol/instance'
import type { InstanceRegistration } from '@foyer/protocol/registration'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import {
  admissionOf,
  checkAdmission,
  isApplied,
  isRefusal,
  PLAIN_RULES,
  rulesWithInvite,
  signUpRules,
} from './sign-up-rules.ts'

function instanceWith(
  registration: Partial<InstanceRegistration>,
  changes: Partial<Instance> = {},
): Instance {
  return {
    version: '1.0.0',
    is_empty: false,
    awaits_operator: false,
    has_mail: true,
    passkey_origin: null,
    login: { passwords: true, providers: [] },
    registration: { mode: 'open', question: null, has_domain_rule: false, ...registration },
    ...changes,
  }
}

const rulesWith = (registration: Partial<InstanceRegistration>) => signUpRules(instanceWith(registration))

test('REGISTRATION-20: the form has the fields that the rules of the server need', () => {
  const later = { ...PLAIN_RULES, mayNeedPuzzle: true }
  assert.deepEqual(rulesWith({ mode: 'open' }), later)
  assert.deepEqual(rulesWith({ mode: 'closed' }), { ...later, isOpen: false })
  assert.deepEqual(rulesWith({ mode: 'invite' }), { ...later, invite: 'required' })
  assert.deepEqual(rulesWith({ mode: 'approval', question: 'Why?' }), {
    ...later,
    needsApproval: true,
    question: 'Why?',
    invite: 'optional',
  })
  assert.equal(rulesWith({ mode: 'open', question: 'Why?' }).question, null)
})

test('REGISTRATION-20: the first account that becomes the operator is asked for nothing', () => {
  for (const mode of ['invite', 'approval', 'closed'] as const) {
    assert.deepEqual(signUpRules(instanceWith({ mode }, { is_empty: true })), PLAIN_RULES, mode)
    const awaiting = instanceWith({ mode }, { is_empty: true, awaits_operator: true })
    assert.deepEqual(signUpRules(awaiting), rulesWith({ mode }), mode)
  }
})

test('REGISTRATION-21: an invite is offered where an operator’s gives more', () => {
  assert.equal(rulesWith({ mode: 'approval' }).invite, 'optional')
  assert.equal(rulesWith({ mode: 'open', has_domain_rule: true }).invite, 'optional')
  assert.equal(rulesWith({ mode: 'invite', has_domain_rule: true }).invite, 'required')
})

test('REGISTRATION-21: an invite that the user came with is sent as it is, a typed one by its code', () => {
  assert.deepEqual(admissionOf({}, 'known'), { invite: 'known' })
  assert.deepEqual(admissionOf({ invite: ' https://chat.example.org/invite/abc123 ' }, undefined), {
    invite: 'abc123',
  })
  assert.deepEqual(admissionOf({ invite: '', answer: ' ' }, undefined), {})
  assert.deepEqual(admissionOf({ answer: ' Because. ' }, undefined), { answer: 'Because.' })
})

test('REGISTRATION-21: an invite is checked before it is sent, and may be left out if it is optional', () => {
  const refused = { invite: 'Paste a link like …/invite/abc123, or just the code.' }
  for (const [mode, ifEmpty] of [
    ['invite', refused],
    ['approval', {}],
  ] as const) {
    const rules = rulesWith({ mode })
    assert.deepEqual(checkAdmission(rules, { invite: ' ' }), ifEmpty)
    assert.deepEqual(checkAdmission(rules, { invite: 'two words' }), refused)
    assert.deepEqual(checkAdmission(rules, { invite: 'abc123' }), {})
    assert.deepEqual(checkAdmission(rules, {}), {}, 'there is no field for it')
  }
})

test('REGISTRATION-24: with an operator’s invite the form asks for nothing else, unless nobody can sign up', () => {
  for (const mode of ['open', 'invite', 'approval'] as const)
    assert.deepEqual(rulesWithInvite(instanceWith({ mode, question: 'Why?' })), PLAIN_RULES, mode)
  assert.equal(rulesWithInvite(instanceWith({ mode: 'closed' })).isOpen, false)
})

test('REGISTRATION-22: an answer is needed without an invite, and has at most 2,000 characters', () => {
  const rules = rulesWith({ mode: 'approval', question: 'Why?' })
  assert.deepEqual(checkAdmission(rules, { answer: ' ' }), { answer: 'Answer the question.' })
  assert.deepEqual(checkAdmission(rules, { answer: '', invite: 'abc123' }), {}, 'the server decides')
  assert.deepEqual(checkAdmission(rules, { answer: `${'😀'.repeat(2000)} ` }), {})
  assert.deepEqual(checkAdmission(rules, { answer: '😀'.repeat(2001) }), {
    answer: '1 character over the limit',
  })
})

test('REGISTRATION-22, REGISTRATION-23: an application is told from a refusal, and both from other errors', () => {
  assert.deepEqual(
    [isApplied(refusal('approval_pending')), isRefusal(refusal('approval_pending'))],
    [true, false],
  )
  for (const code of ['invite_required', 'invite_unusable', 'registration_closed', 'email_domain_refused'])
    assert.deepEqual([isApplied(refusal(code)), isRefusal(refusal(code))], [false, true], code)
  for (const error of [refusal('username_taken'), new NetworkError('x')])
    assert.deepEqual([isApplied(error), isRefusal(error)], [false, false])
})

function refusal(code: string): ApiError {
  return new ApiError(403, 'refused', new Headers({ 'x-error-code': code }))
}
