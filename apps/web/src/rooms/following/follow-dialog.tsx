import type { Room } from '@foyer/protocol/rooms'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { webhookWords } from '#src/webhooks/words.ts'
import { roomLabel } from '../names/room-name.ts'
import { followTargets, type TargetSpace } from './follow-targets.ts'
import { type Follow, Followed } from './followed.tsx'

interface FollowDialogProps {
  room: Room
  onClose: () => void
}

const words = {
  ...webhookWords,
  already_followed: t('The room you chose already follows this room. Choose another room.'),
  unknown_room: t('This room no longer exists, or you can’t see it anymore.'),
}

/** Selects the room that gets copies of the messages of an announcement room. */
export function FollowDialog({ room, onClose }: FollowDialogProps) {
  const { store } = useSession()
  // Read once, so that the lists do not change while the user selects.
  const [targets] = useState(() => followTargets(store.get(), room.id))
  const [follow, setFollow] = useState<Follow | null>(null)
  return (
    <Modal open onOpenChange={onClose} title={t('Follow {room}', { room: roomLabel(room) })}>
      {follow !== null ? (
        <Followed source={room} follow={follow} onClose={onClose} />
      ) : targets.length === 0 ? (
        <EmptyNote icon={<Megaphone />} title={t('No room to copy messages to')}>
          {t('You need a text room where you can manage webhooks, for example in a space of your own.')}
        </EmptyNote>
      ) : (
        <FollowForm room={room} targets={targets} onClose={onClose} onFollow={setFollow} />
      )}
    </Modal>
  )
}

interface FollowFormProps extends FollowDialogProps {
  targets: readonly TargetSpace[]
  onFollow: (follow: Follow) => void
}

function FollowForm({ room, targets, onClose, onFollow }: FollowFormProps) {
  const { client } = useSession()
  const following = useAction(words)
  // Preselects a space other than the room's, because copies are more useful there.
  const [spaceId, setSpaceId] = useState(
    () => targets.find(({ space }) => space.id !== room.space_id)?.space.id,
  )
  const [roomId, setRoomId] = useState<string>()
  const target = targets.find(({ space }) => space.id === spaceId) ?? targets[0]
  const chosen = target?.rooms.find(({ id }) => id === roomId) ?? target?.rooms[0]

  function follow() {
    if (target === undefined || chosen === undefined) return
    following.run(async () => {
      await client.rooms.follow(room.id, chosen.id)
      onFollow({ space: target.space, room: chosen })
    })
  }

  return (
    <div className="form">
      <p>
        {t(
          'New messages here will also appear in the room you choose, with later edits and deletions. Mentions won’t notify anyone there.',
        )}
      </p>
      <SelectField
        name="space_id"
        label={t('Space')}
        options={targets.map(({ space }) => [space.id, space.name] as const)}
        value={target?.space.id ?? ''}
        onChange={setSpaceId}
      />
      <SelectField
        name="room_id"
        label={t('Room')}
        options={(target?.rooms ?? []).map((one) => [one.id, roomLabel(one)] as const)}
        value={chosen?.id ?? ''}
        onChange={setRoomId}
      />
      <ErrorLine message={following.error} />
      <div className="form-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="primary" pending={following.pending} onClick={follow}>
          {t('Follow')}
        </Button>
      </div>
    </div>
  )
}
