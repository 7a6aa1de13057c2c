import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { Plus, Rss } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { CreateWebhook } from './create-webhook.tsx'
import { FollowRemoteRoom } from './follow-remote-room.tsx'

interface NewWebhooksProps {
  rooms: readonly Room[]
  /** The button that creates a webhook. */
  create: RefObject<HTMLButtonElement | null>
  onCreated: (webhook: Webhook) => void
}

/** Creates webhooks, also those that follow rooms of other servers. */
export function NewWebhooks({ rooms, create, onCreated }: NewWebhooksProps) {
  const [dialog, setDialog] = useState<'webhook' | 'follow' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <div className="settings-line">
        <p>
          <span>
            {t(
              'Webhooks let other apps post messages here – GitHub, alerts, your own scripts. Anyone with the URL can post, so keep it secret.',
            )}
          </span>
        </p>
        <Button ref={create} look="primary" onClick={() => setDialog('webhook')}>
          <Plus aria-hidden="true" /> {t('Create webhook')}
        </Button>
      </div>
      {rooms.some(({ type }) => type === RoomType.Text) && (
        <div className="settings-line">
          <p>
            <span>{t('A room can also follow an announcement room on another Foyer server.')}</span>
          </p>
          <Button onClick={() => setDialog('follow')}>
            <Rss aria-hidden="true" /> {t('Follow…')}
          </Button>
        </div>
      )}
      {dialog === 'webhook' && <CreateWebhook rooms={rooms} onClose={close} onCreated={onCreated} />}
      {dialog === 'follow' && <FollowRemoteRoom rooms={rooms} onClose={close} onFollowed={onCreated} />}
    </>
  )
}
