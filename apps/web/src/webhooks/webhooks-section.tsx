import type { Room } from '@foyer/protocol/rooms'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { roomLabel, roomName } from '#src/rooms/names/room-name.ts'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { NewWebhooks } from './new-webhooks.tsx'
import { useMessageRooms } from './use-message-rooms.ts'
import { useWebhooks } from './use-webhooks.ts'
import { WebhookEntry } from './webhook-entry.tsx'
import { WebhookPage } from './webhook-page.tsx'
import './webhooks.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'

interface WebhooksSectionProps {
  space: SpaceEntry
  /** The room whose webhooks are listed; omitted for the webhooks of all rooms. */
  room?: Room
}

/** The webhooks of a space or room, with a page for each. */
export function WebhooksSection({ space, room }: WebhooksSectionProps) {
  const { webhooks, error, again, put, remove } = useWebhooks(space.id, room?.id ?? null)
  const rooms = useMessageRooms(space.id)
  const [editedId, setEditedId] = useState<string | null>(null)
  const create = useRef<HTMLButtonElement>(null)
  const cameBack = useRef(false)
  const edited = webhooks?.find(({ id }) => id === editedId)
  const isEditing = edited !== undefined
  usePeople(webhooks?.map(({ creator_id }) => creator_id) ?? NO_IDS)

  // Focuses the button for a new webhook, because the focused element was removed with the page of the edited webhook.
  useEffect(() => {
    if (!isEditing && cameBack.current) create.current?.focus()
    cameBack.current = isEditing
  }, [isEditing])

  if (error !== null) return <LoadError message={error} again={again} />
  if (webhooks === undefined) return <Skeleton />
  if (edited !== undefined)
    return (
      <WebhookPage
        key={edited.id}
        webhook={edited}
        rooms={rooms}
        onBack={() => setEditedId(null)}
        onSave={put}
        onDelete={remove}
      />
    )
  const ofRooms = rooms
    .map((each) => ({ room: each, webhooks: webhooks.filter(({ room_id }) => room_id === each.id) }))
    .filter((group) => group.webhooks.length > 0)
  return (
    <>
      <NewWebhooks
        rooms={room === undefined ? rooms : [room]}
        create={create}
        onCreated={(webhook) => {
          put(webhook)
          setEditedId(webhook.id)
        }}
      />
      {ofRooms.length === 0 && (
        <EmptyNote icon={<WebhookIcon />} title={t('No webhooks yet')}>
          {t('Create one and paste its URL into the app that should post here.')}
        </EmptyNote>
      )}
      {ofRooms.map((group) => (
        <section key={group.room.id} className="webhook-group">
          {room === undefined && <h4>{roomLabel(group.room)}</h4>}
          <ul className="settings-list" aria-label={t('Webhooks in {room}', { room: roomName(group.room) })}>
            {group.webhooks.map((webhook) => (
              <WebhookEntry
                key={webhook.id}
                webhook={webhook}
                focusAfter={create}
                onEdit={() => setEditedId(webhook.id)}
                onDelete={remove}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const NO_IDS: readonly string[] = []
