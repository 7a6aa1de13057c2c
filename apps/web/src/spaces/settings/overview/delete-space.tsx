import { useState } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'

export function DeleteSpace({ space }: { space: SpaceEntry }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="settings-line">
      <p>
        <strong>Delete the space</strong>
        <span>All rooms and everything in them are gone for everybody.</span>
      </p>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete space
      </Button>
      {open && <DeleteDialog space={space} onClose={() => setOpen(false)} />}
    </div>
  )
}

function DeleteDialog({ space, onClose }: { space: SpaceEntry; onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()

  function check({ name = '' }: Values) {
    return name.trim() === space.name ? {} : { name: `Type “${space.name}” to delete it.` }
  }

  async function remove() {
    await client.spaces.delete(space.id)
    navigate('/home')
    store.adopt('SPACE_DELETE', { space_id: space.id })
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={`Delete ${space.name}?`}
      description="The space, its rooms and every message in it are deleted for all members. This cannot be undone."
    >
      <SubmitForm fields={['name']} check={check} submit={remove}>
        {(pending) => (
          <>
            <TextField name="name" label={`Type ${space.name} to confirm`} autoComplete="off" />
            <div className="form-actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="danger" pending={pending}>
                Delete space
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
