import type { SignInProvider } from '@foyer/protocol/oidc'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { Identities } from '@foyer/sdk/api/identities'
import type { ReactNode } from 'react'
import { useCodeField } from '#src/auth/code-field.tsx'
import { providerWords } from '#src/auth/providers/provider-words.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { ProofFields } from '../proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from '../proofs/proof-values.ts'

interface ChangeProps {
  provider: SignInProvider
  onClose: () => void
}

/** Opens the provider's page, where the user confirms the identity to link. */
export function LinkProvider({ provider: { id, name }, onClose }: ChangeProps) {
  const { client } = useSession()

  async function link(proof: ProofBody) {
    const { url } = await client.api(Identities).startLinking(id, proof)
    window.location.assign(url)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Link {provider}?', { provider: name })}
      description={t(
        'You’ll sign in there next. From then on, anyone who can sign in there can sign in to your account.',
      )}
    >
      <OwnerForm action={t('Continue')} look="primary" run={link} onClose={onClose} />
    </Modal>
  )
}

export function UnlinkProvider({ provider: { id, name }, onClose }: ChangeProps) {
  const { client } = useSession()

  async function unlink(proof: ProofBody) {
    await client.api(Identities).unlink(id, proof)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Unlink {provider}?', { provider: name })}
      description={t(
        'You’ll no longer be able to sign in with it. Other devices that used it to sign in will be signed out.',
      )}
    >
      <OwnerForm action={t('Unlink')} look="danger" run={unlink} onClose={onClose} />
    </Modal>
  )
}

interface OwnerFormProps {
  action: string
  look: 'primary' | 'danger'
  run: (proof: ProofBody) => Promise<void>
  onClose: () => void
}

/** Asks for a proof of presence, and for a code if the server requires one. */
function OwnerForm({ action, look, run, onClose }: OwnerFormProps): ReactNode {
  const { codeField, withCode } = useCodeField()
  return (
    <SubmitForm
      fields={PROOF_FIELDS}
      check={(values) => checkProof(values)}
      submit={(values) => withCode(run(proofOf(values)))}
      words={providerWords}
    >
      {(pending) => (
        <>
          <ProofFields>{codeField}</ProofFields>
          <div className="form-actions">
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button type="submit" look={look} pending={pending}>
              {action}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
