import type { CreateApplicationResult } from '@foyer/protocol/applications'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import {
  ApplicationFields,
  applicationFields,
  checkApplication,
  readApplication,
} from './application-fields.tsx'

interface CreateApplicationDialogProps {
  onClose: () => void
  onCreated: (result: CreateApplicationResult) => void
}

export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const { client } = useSession()

  async function create(values: Values) {
    onCreated(await client.applications.create(readApplication(values)))
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Create an application')}
      description={t('It comes with a bot. You’ll get the bot’s token in the next step.')}
    >
      <SubmitForm fields={applicationFields} check={checkApplication} submit={create}>
        {(pending) => (
          <>
            <ApplicationFields />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Create application')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
