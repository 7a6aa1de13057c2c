import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'

interface DeleteAllFilesProps {
  space: SpaceEntry
  onClose: () => void
}

/** Asks for the name of the space before deleting all its emoji and stickers. */
export function DeleteAllFiles({ space, onClose }: DeleteAllFilesProps) {
  const { client } = useSession()

  async function remove() {
    await client.attachments.deleteAllOfSpace(space.id)
    onClose()
  }

  return (
    <ConfirmByName
      name={space.name}
      title={t('Delete all emoji and stickers?')}
      description={t(
        'This deletes all of {name}’s emoji and stickers, for everyone. The icon, the banner and files in messages stay. This can’t be undone.',
        { name: space.name },
      )}
      action={t('Delete all emoji and stickers')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
