import { limits } from '@foyer/protocol/limits'
import { RoomType } from '@foyer/protocol/rooms'
import { Folder, Hash, Megaphone, MessagesSquare, Volume2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { CategoryField } from './category-field.tsx'
import './create-room-dialog.css'
import { firstOverwrites, type Viewer } from './first-overwrites.ts'
import { ViewerPicker } from './viewer-picker.tsx'

interface CreateRoomDialogProps {
  spaceId: string
  /** Category selected at first. */
  parentId: string | null
  onClose: () => void
}

const TEXT = {
  type: RoomType.Text,
  announces: false,
  Icon: Hash,
  label: t('Text'),
  description: t('Send messages and files.'),
}

const kinds = [
  TEXT,
  {
    type: RoomType.Text,
    announces: true,
    Icon: Megaphone,
    label: t('Announcements'),
    description: t('Only you can write at first. Other rooms can follow this one.'),
  },
  {
    type: RoomType.Voice,
    announces: false,
    Icon: Volume2,
    label: t('Voice'),
    description: t('Talk together.'),
  },
  {
    type: RoomType.Forum,
    announces: false,
    Icon: MessagesSquare,
    label: t('Forum'),
    description: t('Ask and discuss in posts.'),
  },
  {
    type: RoomType.Category,
    announces: false,
    Icon: Folder,
    label: t('Category'),
    description: t('Group rooms under a heading.'),
  },
] as const

const words = {
  unknown_role: t('A role you chose no longer exists. Remove it and try again.'),
  unknown_member: t('A member you chose has left the space. Remove them and try again.'),
}

type Kind = (typeof kinds)[number]

export function CreateRoomDialog({ spaceId, parentId, onClose }: CreateRoomDialogProps) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const [kind, setKind] = useState<Kind>(TEXT)
  const [parent, setParent] = useState(parentId)
  const space = useAppState((state) => state.spaces[spaceId])
  const [isPrivate, setIsPrivate] = useState(false)
  const [viewers, setViewers] = useState<readonly Viewer[]>([])
  const { type, announces } = kind
  const isCategory = type === RoomType.Category

  async function create({ name = '' }: Values) {
    // Sends the overwrites with the request that creates the room. Sent later, they would first let everyone see its name.
    const overwrites =
      space === undefined || isCategory
        ? []
        : firstOverwrites({
            spaceId,
            myId: space.member.user_id,
            viewers: isPrivate ? viewers : null,
            announces,
          })
    const body = { name: name.trim(), type, parent_id: parent, overwrites, ...(announces && { announces }) }
    const room = await client.rooms.create(spaceId, body)
    // The gateway dispatches these events, too, but the creator should not have to wait for them.
    store.adopt('ROOM_CREATE', room)
    for (const overwrite of overwrites)
      store.adopt('ROOM_OVERWRITE_UPDATE', { space_id: spaceId, room_id: room.id, ...overwrite })
    onClose()
    if (isCategory) return
    // The dialog restores the focus first. After that, the room can take it.
    nextFrame(() => nextFrame(() => navigate(`/spaces/${spaceId}/rooms/${room.id}`)))
  }

  return (
    <Modal open onOpenChange={onClose} title={isCategory ? t('Create a category') : t('Create a room')}>
      <SubmitForm
        fields={['name']}
        check={(values) => checkGiven(values, 'name', t('Enter a name.'))}
        submit={create}
        words={words}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Name')}
              autoComplete="off"
              maxLength={limits.nameMax}
              placeholder={isCategory ? t('e.g. Projects') : t('e.g. announcements')}
            />
            <KindField chosen={kind} onChange={setKind} />
            {!isCategory && <CategoryField spaceId={spaceId} value={parent} onChange={setParent} />}
            {!isCategory && (
              <SwitchRow
                label={t('Private')}
                description={t('Only people and roles you choose (plus admins) can see this room.')}
                checked={isPrivate}
                onChange={setIsPrivate}
              />
            )}
            {!isCategory && isPrivate && space !== undefined && (
              <ViewerPicker space={space} chosen={viewers} onChange={setViewers} />
            )}
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {isCategory ? t('Create category') : t('Create room')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function KindField({ chosen, onChange }: { chosen: Kind; onChange: (kind: Kind) => void }) {
  return (
    <fieldset className="room-kinds">
      <legend className="field-label">{t('Type')}</legend>
      {kinds.map((kind) => (
        <label key={kind.label} className="room-kind">
          <input type="radio" name="kind" checked={kind === chosen} onChange={() => onChange(kind)} />
          <kind.Icon aria-hidden="true" />
          <span className="room-kind-texts">
            <strong>{kind.label}</strong>
            <span>{kind.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
