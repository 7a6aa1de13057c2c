import { limits } from '@foyer/protocol/limits'
import type { CreateSpaceResult, SpaceState } from '@foyer/protocol/spaces'
import { useLocation } from 'wouter'
import { checkGiven } from '#src/auth/check.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'

export function CreateSpaceDialog({ onClose }: { onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()

  async function create({ name = '', description = '' }: Values) {
    const about = description.trim()
    const result = await client.spaces.create({ name: name.trim(), description: about === '' ? null : about })
    // The gateway tells it too; whoever created the space need not wait for that.
    store.adopt('SPACE_CREATE', stateOf(result))
    onClose()
    navigate(`/spaces/${result.space.id}`)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title="Create a space"
      description="A space is a home for a group: rooms to talk in, and the people you invite."
    >
      <SubmitForm
        fields={['name', 'description']}
        check={(values) => checkGiven(values, 'name', 'Give your space a name.')}
        submit={create}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label="Space name"
              autoComplete="off"
              maxLength={limits.nameMax}
              placeholder="Sunday hikers"
            />
            <TextField
              name="description"
              label="Description"
              hint="Optional. People see it when they are invited."
              autoComplete="off"
              maxLength={limits.descriptionMax}
            />
            <div className="form-actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" pending={pending}>
                Create space
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function stateOf({ space, rooms, roles, member }: CreateSpaceResult): SpaceState {
  const empty = { overwrites: [], emojis: [], stickers: [], voice_states: [] }
  return { ...space, ...empty, rooms, roles, member, member_count: 1 }
}
