import type { CurrentUser } from '@foyer/protocol/users'
import { useMemo, useState } from 'react'
import { useCodeField } from '#src/auth/code-field.tsx'
import { joined } from '#src/language/formats.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { sortedSpaces } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { ProofFields } from './proofs/proof-fields.tsx'
import { checkProof, PROOF_FIELDS, proofOf } from './proofs/proof-values.ts'

/** Explains the deletion, then asks for a proof of presence. Owners have to transfer or delete their spaces first. */
export function DeleteAccount({ me }: { me: CurrentUser }) {
  const spaces = useAppState((state) => state.spaces)
  const owned = useMemo(
    () => sortedSpaces(spaces).filter((space) => space.owner_id === me.id),
    [spaces, me.id],
  )
  const [asking, setAsking] = useState(false)
  return (
    <>
      <p className="settings-note">
        {t(
          'This permanently deletes your name, profile, email address, friends and applications, and signs you out everywhere. Your messages stay, under the name “Deleted account”. This can’t be undone.',
        )}
      </p>
      {owned.length > 0 ? (
        <p className="settings-note">
          {counted(
            owned.length,
            'You own {spaces}. Transfer or delete it in its space settings first.',
            'You own {spaces}. Transfer or delete them in their space settings first.',
            { spaces: joined(owned.map((space) => space.name)) },
          )}
        </p>
      ) : (
        <div className="form-actions">
          <Button look="danger" onClick={() => setAsking(true)}>
            {t('Delete my account…')}
          </Button>
        </div>
      )}
      {asking && owned.length === 0 && <AskPassword onClose={() => setAsking(false)} />}
    </>
  )
}

function AskPassword({ onClose }: { onClose: () => void }) {
  const { client } = useSession()
  const { codeField, withCode } = useCodeField()

  /** Deletes the account. This session ends with it, which closes the dialog. */
  async function remove(values: Values) {
    await withCode(client.users.deleteMe(proofOf(values)))
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Delete your account?')}
      description={t('This can’t be undone. Confirm it’s you.')}
    >
      <SubmitForm fields={PROOF_FIELDS} check={(values) => checkProof(values)} submit={remove}>
        {(pending) => (
          <>
            <ProofFields label={t('Password')}>{codeField}</ProofFields>
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Delete for good')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
