import type { SigninBody } from '@foyer/protocol/auth'
import type { Instance } from '@foyer/protocol/instance'
import { MAX_REGISTRATION_TEXT_CHARACTERS } from '@foyer/protocol/limits'
import type { InstanceRegistration } from '@foyer/protocol/registration'
import { ApiError } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { checkCharacters } from '#src/ui/fields/characters.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'
import { codeOf } from './invite-code.ts'

/** The rules for new accounts, as the sign-up form needs them. */
export interface SignUpRules {
  /** False if no one can create an account. */
  readonly isOpen: boolean
  /** True if operators decide about each account. */
  readonly needsApproval: boolean
  /** The operators' question to applicants. */
  readonly question: string | null
  /** `optional` if an operator's invite is not required, but exempts the user from the rules. */
  readonly invite: 'required' | 'optional' | 'unused'
  readonly hasDomainRule: boolean
  /** False if the server requires no puzzle: for the first account, with the first operator's link, or with an operator's invite. */
  readonly mayNeedPuzzle: boolean
}

/** Rules that only ask for the required fields. The server still decides. */
export const PLAIN_RULES: SignUpRules = {
  isOpen: true,
  needsApproval: false,
  question: null,
  invite: 'unused',
  hasDomainRule: false,
  mayNeedPuzzle: false,
}

/** @param instance null if the server has not answered yet */
export function signUpRules(instance: Instance | null): SignUpRules {
  if (instance === null) return PLAIN_RULES
  const { is_empty, awaits_operator, registration } = instance
  // If the first account becomes the operator, no rules apply to it.
  if (is_empty && !awaits_operator) return PLAIN_RULES
  const { mode, question, has_domain_rule: hasDomainRule } = registration
  return {
    isOpen: mode !== 'closed',
    needsApproval: mode === 'approval',
    question: mode === 'approval' ? question : null,
    invite: inviteUse(registration),
    hasDomainRule,
    mayNeedPuzzle: true,
  }
}

/** Returns the rules for a user with an operator's invite, which is valid in every mode except `closed`. */
export function rulesWithInvite(instance: Instance | null): SignUpRules {
  const { isOpen } = signUpRules(instance)
  return { ...PLAIN_RULES, isOpen }
}

function inviteUse({ mode, has_domain_rule }: InstanceRegistration): SignUpRules['invite'] {
  if (mode === 'invite') return 'required'
  return mode === 'approval' || has_domain_rule ? 'optional' : 'unused'
}

/**
 * Returns the parts of the request that the rules ask for.
 * @param invite code or token of the link that the user opened; replaces the field for an invite
 */
export function admissionOf(
  values: Values,
  invite: string | undefined,
): Pick<SigninBody, 'invite' | 'answer'> {
  const code = invite ?? codeOf(values.invite ?? '')
  const answer = values.answer?.trim() ?? ''
  return { ...(code === null ? {} : { invite: code }), ...(answer === '' ? {} : { answer }) }
}

/** Checks the fields for the invite and the answer. Only shown fields have values. */
export function checkAdmission(rules: SignUpRules, { invite, answer }: Values): FormErrors {
  return { ...checkInvite(rules, invite), ...checkAnswer(answer, invite) }
}

function checkInvite({ invite: use }: SignUpRules, typed: string | undefined): FormErrors {
  if (typed === undefined) return {}
  const isLeftOut = use === 'optional' && typed.trim() === ''
  if (isLeftOut || codeOf(typed) !== null) return {}
  return { invite: t('Paste a link like …/invite/abc123, or just the code.') }
}

/** Checks the answer. With an invite it may be empty, because only the server knows whether an answer is needed. */
function checkAnswer(answer: string | undefined, invite: string | undefined): FormErrors {
  if (answer === undefined) return {}
  const errors = checkCharacters('answer', answer, MAX_REGISTRATION_TEXT_CHARACTERS)
  if (errors.answer !== undefined) return errors
  const hasInvite = (invite ?? '').trim() !== ''
  return answer.trim() === '' && !hasInvite ? { answer: t('Answer the question.') } : {}
}

/** Returns true if the application was submitted, and operators have to approve it. */
export function isApplied(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'approval_pending'
}

const REFUSALS = [
  'invite_required',
  'invite_unusable',
  'registration_closed',
  'email_domain_refused',
  'answer_required',
]

/** Returns true if the rules of the server refused the account. The rules may have changed since the form was shown. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && REFUSALS.includes(error.code ?? '')
}
