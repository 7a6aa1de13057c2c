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
    return name.trim() === space.name ? {} : { name: `Type “${space.name}” to delete them.` }
  }

  async function remove() {
    await client.attachments.deleteAllOfSpace(space.id)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title="Delete all pictures?"
      description={`All emojis and stickers of ${space.name} are deleted for everybody. The icon, the banner and the files of messages stay. This cannot be undone.`}
    >
      <SubmitForm fields={['name']} check={check} submit={remove}>
        {(pending) => (
          <>
            <TextField name="name" label={`Type ${space.name} to confirm`} autoComplete="off" />
            <div className="form-actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="danger" pending={pending}>
                Delete all pictures
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
