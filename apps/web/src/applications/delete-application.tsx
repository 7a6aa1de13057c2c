import type { Application } from '@foyer/protocol/applications'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'

interface DeleteApplicationProps {
  application: Application
  onClose: () => void
  onDelete: () => void
}

/** The name has to be written: a bot that others rely on goes with it. */
export function DeleteApplication({ application, onClose, onDelete }: DeleteApplicationProps) {
  const { client } = useSession()
  const check = ({ name = '' }: Values) =>
    name.trim() === application.name
      ? {}
      : { name: t('Write “{name}” to delete it.', { name: application.name }) }

  async function remove() {
    await client.applications.delete(application.id)
    onDelete()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name: application.name })}
      description={t('The application and its bot are gone for good. What the bot wrote stays.')}
    >
      <SubmitForm fields={['name']} check={check} submit={remove}>
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Write “{name}” to confirm', { name: application.name })}
              autoComplete="off"
            />
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
