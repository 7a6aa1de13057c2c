import type { Application } from '@foyer/protocol/applications'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'

interface DeleteApplicationProps {
  application: Application
  onClose: () => void
  onDelete: () => void
}

/** Asks for the application's name, since this also deletes a bot that others may rely on. */
export function DeleteApplication({ application, onClose, onDelete }: DeleteApplicationProps) {
  const { client } = useSession()

  async function remove() {
    await client.applications.delete(application.id)
    onDelete()
  }

  return (
    <ConfirmByName
      name={application.name}
      title={t('Delete {name}?', { name: application.name })}
      description={t(
        'This permanently deletes the application and its bot. Messages from the bot will stay.',
      )}
      action={t('Delete for good')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
