import { limits } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { TILE_CUT } from '#src/images/crop.ts'
import { ImageField } from '#src/images/image-field.tsx'
import { t } from '#src/language/texts.ts'
import { avatarIdOfWebhook } from '#src/members/author-name.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { useAttempt } from '#src/ui/dialogs/unsaved-changes.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { sourceText } from './source-text.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { webhookFormats, webhookUrl } from './webhook-urls.ts'
import { webhookWords } from './words.ts'

interface WebhookPageProps {
  webhook: Webhook
  /** The rooms that the webhook can be moved to. */
  rooms: readonly Room[]
  onBack: () => void
  onSave: (webhook: Webhook) => void
  onDelete: (webhookId: string) => void
}

/** The settings of one webhook, shown instead of the list. */
export function WebhookPage({ webhook, rooms, onBack, onSave, onDelete }: WebhookPageProps) {
  const { source } = webhook
  const { client } = useSession()
  const attempt = useAttempt()
  const heading = useRef<HTMLHeadingElement>(null)
  const [deleting, setDeleting] = useState(false)
  useEffect(() => heading.current?.focus(), [])

  return (
    <div className="webhook-page">
      <header className="role-header">
        <IconButton label={t('Back to webhooks')} icon={<ArrowLeft />} onClick={() => attempt(onBack)} />
        <h4 ref={heading} tabIndex={-1}>
          {webhook.name}
        </h4>
      </header>
      {source !== undefined && <p className="settings-note">{sourceText(source)}</p>}
      <ImageField
        label={t('Picture')}
        hint={t('Shown next to its messages. Square, up to 10 MB.')}
        cut={TILE_CUT}
        preview={
          <Avatar
            id={avatarIdOfWebhook(webhook.name)}
            name={webhook.name}
            size="lg"
            picture={webhook.avatar}
          />
        }
        hasPicture={webhook.avatar !== null}
        save={async (avatar) => onSave(await client.webhooks.update(webhook.id, { avatar }))}
      />
      <WebhookForm webhook={webhook} rooms={rooms} onSave={onSave} />
      {source === undefined && (
        <>
          <WebhookUrls webhook={webhook} />
          <WebhookSecret webhook={webhook} onSave={onSave} />
        </>
      )}
      <DangerZone isFollow={source !== undefined} onDelete={() => setDeleting(true)} />
      {deleting && <DeleteWebhook webhook={webhook} onClose={() => setDeleting(false)} onDelete={onDelete} />}
    </div>
  )
}

function DangerZone({ isFollow, onDelete }: { isFollow: boolean; onDelete: () => void }) {
  return (
    <section className="danger-zone">
      <div className="settings-line">
        <p>
          <strong>{isFollow ? t('Stop following') : t('Delete this webhook')}</strong>
          <span>
            {isFollow
              ? t('No new messages will be copied. Messages already here stay.')
              : t('Do this if the URL leaked, then create a new webhook.')}
          </span>
        </p>
        <Button look="danger" onClick={onDelete}>
          {isFollow ? t('Unfollow…') : t('Delete…')}
        </Button>
      </div>
    </section>
  )
}

function WebhookForm({ webhook, rooms, onSave }: Pick<WebhookPageProps, 'webhook' | 'rooms' | 'onSave'>) {
  const { client } = useSession()
  // Holds only the edited fields. The others follow changes by other users.
  const [typed, setTyped] = useState<{ name?: string; room_id?: string }>({})
  const name = typed.name ?? webhook.name
  const roomId = typed.room_id ?? webhook.room_id

  async function save() {
    onSave(await client.webhooks.update(webhook.id, { name: name.trim(), room_id: roomId }))
    setTyped({})
  }

  return (
    <SubmitForm
      fields={['name', 'room_id']}
      check={(values) => checkGiven(values, 'name', t('Enter a name for the webhook.'))}
      submit={save}
      words={webhookWords}
    >
      {(pending) => (
        <>
          <TextField
            name="name"
            label={t('Name')}
            {...(webhook.source === undefined && { hint: t('Individual messages can override this.') })}
            autoComplete="off"
            maxLength={limits.nameMax}
            value={name}
            onValueChange={(value) => setTyped({ ...typed, name: value })}
          />
          <SelectField
            name="room_id"
            label={t('Posts to')}
            value={roomId}
            onChange={(value) => setTyped({ ...typed, room_id: value })}
            options={rooms.map((room) => [room.id, roomLabel(room)])}
          />
          <SaveBar
            isUnsaved={name !== webhook.name || roomId !== webhook.room_id}
            pending={pending}
            onReset={() => setTyped({})}
          />
        </>
      )}
    </SubmitForm>
  )
}

function WebhookUrls({ webhook: { url } }: { webhook: Webhook }) {
  if (url === null)
    return (
      <p className="settings-why">
        {t(
          'The URL was lost when the server’s secret key changed. Delete this webhook and create a new one.',
        )}
      </p>
    )
  return (
    <section className="webhook-addresses" aria-label={t('Webhook URLs')}>
      {webhookFormats.map(({ id, label, suffix }) => (
        <div key={id} className="field">
          <span className="field-label">{label}</span>
          <CopyRow
            label={t('URL for {label}', { label })}
            action={t('Copy')}
            value={webhookUrl(url, suffix, window.location.origin)}
          />
        </div>
      ))}
      <p className="settings-note">{t('On GitHub, set the content type to application/json.')}</p>
      <p className="settings-note">
        {t('Libraries for Discord webhooks work too: set their API base URL to {base}.', {
          base: `${window.location.origin}/api`,
        })}
      </p>
    </section>
  )
}
