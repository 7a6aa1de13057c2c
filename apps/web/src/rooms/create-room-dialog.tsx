import { limits } from '@foyer/protocol/limits'
import { RoomType } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { checkGiven } from '#src/auth/check.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { CategoryField } from './category-field.tsx'
import './create-room-dialog.css'
import { RoomIcon } from './room-icon.tsx'

interface CreateRoomDialogProps {
  spaceId: string
  /** The category it begins with. */
  parentId: string | null
  onClose: () => void
}

const kinds = [
  { type: RoomType.Text, label: 'Text', description: 'Write messages.' },
  { type: RoomType.Voice, label: 'Voice', description: 'Talk to each other.' },
  { type: RoomType.Category, label: 'Category', description: 'A heading for rooms.' },
] as const

type Kind = (typeof kinds)[number]['type']

export function CreateRoomDialog({ spaceId, parentId, onClose }: CreateRoomDialogProps) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const [type, setType] = useState<Kind>(RoomType.Text)
  const [parent, setParent] = useState(parentId)
  const isCategory = type === RoomType.Category

  async function create({ name = '' }: Values) {
    const room = await client.rooms.create(spaceId, { name: name.trim(), type, parent_id: parent })
    // The gateway tells it too; whoever created the room need not wait for that.
    store.adopt('ROOM_CREATE', room)
    onClose()
    if (!isCategory) navigate(`/spaces/${spaceId}/rooms/${room.id}`)
  }

  return (
    <Modal open onOpenChange={onClose} title={isCategory ? 'Create a category' : 'Create a room'}>
      <SubmitForm
        fields={['name']}
        check={(values) => checkGiven(values, 'name', 'Give it a name.')}
        submit={create}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label="Name"
              autoComplete="off"
              maxLength={limits.nameMax}
              placeholder={isCategory ? 'Hiking' : 'tours'}
            />
            <KindField type={type} onChange={setType} />
            {!isCategory && <CategoryField spaceId={spaceId} value={parent} onChange={setParent} />}
            <div className="form-actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" pending={pending}>
                {isCategory ? 'Create category' : 'Create room'}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function KindField({ type, onChange }: { type: Kind; onChange: (type: Kind) => void }) {
  return (
    <fieldset className="room-kinds">
      <legend className="field-label">Kind</legend>
      {kinds.map((kind) => (
        <label key={kind.type} className="room-kind">
          <input type="radio" name="kind" checked={kind.type === type} onChange={() => onChange(kind.type)} />
          <RoomIcon type={kind.type} />
          <span className="room-kind-texts">
            <strong>{kind.label}</strong>
            <span>{kind.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
