import type { StorageBucket } from '@foyer/protocol/buckets'
import { limits } from '@foyer/protocol/limits'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

interface RenameIncludedProps {
  bucket: StorageBucket
  onClose: () => void
  onSaved: () => void
}

/** Renames the included storage. The server controls its other settings. */
export function RenameIncluded({ bucket, onClose, onSaved }: RenameIncludedProps) {
  const { client } = useSession()

  async function save({ name = '' }: Values) {
    await client.buckets.update(bucket.space_id, bucket.id, { name: name.trim() })
    onSaved()
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Rename storage')}>
      <SubmitForm
        fields={['name']}
        check={(values) => checkGiven(values, 'name', t('Enter a name.'))}
        submit={save}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Name')}
              autoComplete="off"
              maxLength={limits.nameMax}
              defaultValue={bucket.name}
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
