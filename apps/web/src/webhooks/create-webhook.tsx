import { limits } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { webhookWords } from './words.ts'

interface CreateWebhookProps {
  rooms: readonly Room[]
  onClose: () => void
  onCreated: (webhook: Webhook) => void
}

export function CreateWebhook({ rooms, onClose, onCreated }: CreateWebhookProps) {
  const { client } = useSession()
  const [only, another] = rooms

  async function create({ name = '', room_id = '' }: Values) {
    const roomId = room_id || (only?.id ?? '')
    const webhook = await client.webhooks.create(roomId, { name: name.trim() })
    onClose()
    onCreated(webhook)
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Create a webhook')}>
      <SubmitForm
        fields={['name', 'room_id']}
        check={(values) =>
          checkGiven(values, 'name', t('Enter a name. The webhook’s messages appear under it.'))
        }
        submit={create}
        words={webhookWords}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Name')}
              autoComplete="off"
              maxLength={limits.nameMax}
              placeholder={t('e.g. GitHub')}
            />
            {another !== undefined && (
              <SelectField
                name="room_id"
                label={t('Room')}
                options={rooms.map((room) => [room.id, roomLabel(room)])}
              />
            )}
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Create webhook')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
