import type { ProofBody } from '@foyer/protocol/second-factors'
import { useCodeField } from '#src/auth/code-field.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { ProofFields } from '../proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from '../proofs/proof-values.ts'

interface AskForCopyProps {
  ask: (proof: ProofBody) => Promise<void>
  onClose: () => void
}

/** Asks for a proof of presence, because the copy contains all of the user's data. */
export function AskForCopy({ ask, onClose }: AskForCopyProps) {
  const { codeField, withCode } = useCodeField()
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Request a copy of your data?')}
      description={t('We’ll email you when it’s ready. Confirm it’s you.')}
    >
      <SubmitForm
        fields={PROOF_FIELDS}
        check={(values) => checkProof(values)}
        submit={(values) => withCode(ask(proofOf(values)))}
      >
        {(pending) => (
          <>
            <ProofFields label={t('Password')}>{codeField}</ProofFields>
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Request copy')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
