import { Administration } from '@foyer/sdk/api/administration'
import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { operatorWords } from '../words.ts'
import type { DialogProps } from './dialog-props.ts'

/** Brings a deleted space back. If the account of its owner is deleted, a member becomes the owner. */
export function RestoreSpace({ found, onChange, onClose, focusAfter }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space
  // The account may have been deleted since the list was loaded.
  const [isOrphaned, setIsOrphaned] = useState(found.owner.deleted_at !== null)

  async function restore({ owner_id = '' }: Values) {
    const administration = client.api(Administration)
    const body = { owner_id: owner_id.trim() || null }
    const restored = await administration.restoreSpace(id, body).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'owner_deleted') setIsOrphaned(true)
      throw error
    })
    onChange(restored, t('{name} is back.', { name }))
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t('Bring back {name}?', { name })}
      description={t(
        'Its members, rooms, messages and files come back as they were. Members’ notification settings are lost.',
      )}
    >
      <SubmitForm fields={['owner_id']} submit={restore} words={operatorWords}>
        {(pending) => (
          <>
            {isOrphaned && (
              <TextField
                name="owner_id"
                label={t('User ID of the new owner')}
                hint={t('The owner’s account was deleted. Enter the ID of one of the members.')}
                autoComplete="off"
              />
            )}
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Bring back')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
