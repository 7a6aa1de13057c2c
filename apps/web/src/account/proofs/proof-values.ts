import type { ProofBody } from '@foyer/protocol/second-factors'
import { codeOf } from '#src/auth/code-field.tsx'
import { t } from '#src/language/texts.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'

/** A proof that a provider or a passkey has just given. */
export interface GivenProof {
  readonly token: string
  /** True for a passkey, which needs no code. */
  readonly isWithoutCode: boolean
}

/** The fields of a form with `ProofFields`. The last three are hidden: the server never reports an error for them. */
export const PROOF_FIELDS = ['password', 'code', 'fresh_proof', 'without_code', 'only_fresh'] as const

/** @param needsCode whether the form shows a field for a code */
export function checkProof(values: Values, needsCode = false): FormErrors {
  const { password, fresh_proof: proof, code = '', without_code } = values
  if (!proof && !password?.trim()) return missing(values)
  return needsCode && without_code === '' && code.trim() === '' ? { code: t('Enter a code.') } : {}
}

/** Returns the proof as the fields of a request body. */
export function proofOf(values: Values): ProofBody {
  const { fresh_proof: proof = '', password = '' } = values
  return { ...(proof === '' ? { password } : { proof }), ...codeOf(values) }
}

function missing({ only_fresh }: Values): FormErrors {
  return only_fresh ? { form: t('Confirm it’s you first.') } : { password: t('Enter your password.') }
}
