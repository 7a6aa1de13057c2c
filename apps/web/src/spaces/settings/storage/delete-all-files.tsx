import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'

interface DeleteAllFilesProps {
  space: SpaceEntry
  onClose: () => void
}

/** Asks for the name of the space before all its emojis and stickers go. */
export function DeleteAllFiles({ space, onClose }: DeleteAllFilesProps) {
  const { client } = useSession()

  function check({ name = '' }: Values) {
    return name.trim() === space.name
      ? {}
      : { name: t('Type “{name}” to delete them.', { name: space.name }) }
  }

  async function remove() {
    await client.attachments.deleteAllOfSpace(space.id)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Delete all pictures?')}
      description={t(
        'All emojis and stickers of {name} are deleted for everybody. The icon, the banner and the files of messages stay. This cannot be undone.',
        { name: space.name },
      )}
    >
      <SubmitForm fields={['name']} check={check} submit={remove}>
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Type {name} to confirm', { name: space.name })}
              autoComplete="off"
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Delete all pictures')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
