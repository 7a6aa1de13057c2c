import { MAX_REGISTRATION_TEXT_CHARACTERS } from '@foyer/protocol/limits'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { operatorWords } from '../words.ts'

interface RefuseDialogProps {
  name: string
  refuse: (message: string | null) => Promise<void>
  onClose: () => void
  /** Receives the focus after the decision. */
  focusAfter: RefObject<HTMLElement | null>
}

/** Declines an application, with an optional message to the applicant. */
export function RefuseDialog({ name, refuse, onClose, focusAfter }: RefuseDialogProps) {
  async function submit({ message = '' }: Values) {
    await refuse(message.trim() || null)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={t('Decline {name}?', { name })}
      description={t('The application is deleted. They can apply again.')}
    >
      <SubmitForm fields={['message']} submit={submit} words={operatorWords}>
        {(pending) => (
          <>
            <TextField
              name="message"
              label={t('Message to the applicant')}
              hint={t(
                'Optional. We’ll email this to the applicant. If you leave it empty, they won’t get an email.',
              )}
              autoComplete="off"
              maxLength={MAX_REGISTRATION_TEXT_CHARACTERS}
              render={<textarea rows={3} />}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Decline')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
