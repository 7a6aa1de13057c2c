import { limits } from '@foyer/protocol/limits'
import type { Passkey } from '@foyer/protocol/passkeys'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { client } = useSession()

  async function rename(name: string) {
    await client.api(Passkeys).update(passkey.id, { name })
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Rename passkey')}>
      <SubmitForm
        fields={['name']}
        check={(values) => checkGiven(values, 'name', t('Enter a name.'))}
        submit={({ name = '' }) => rename(name.trim())}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Passkey name')}
              maxLength={limits.nameMax}
              defaultValue={passkey.name}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Save')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
