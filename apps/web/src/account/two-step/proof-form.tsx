import type { ProofBody } from '@foyer/protocol/second-factors'
import { CodeField } from '#src/auth/code-field.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { ProofFields } from '../proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from '../proofs/proof-values.ts'

interface ProofFormProps {
  /** False while the account has no second factor. */
  needsCode: boolean
  action: string
  look?: 'primary' | 'danger'
  run: (proof: ProofBody) => Promise<void>
  onCancel: () => void
}

/** Asks for a proof of presence, with a code if the account has a second factor. */
export function ProofForm({ needsCode, action, look = 'primary', run, onCancel }: ProofFormProps) {
  return (
    <SubmitForm
      fields={PROOF_FIELDS}
      check={(values) => checkProof(values, needsCode)}
      submit={(values) => run(proofOf(values))}
    >
      {(pending) => (
        <>
          <ProofFields>{needsCode && <CodeField />}</ProofFields>
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look={look} pending={pending}>
              {action}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
