import { limits, MAX_REMOTE_FOLLOWS } from '@foyer/protocol/limits'
import { type Room, RoomType } from '@foyer/protocol/rooms'
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

interface FollowRemoteRoomProps {
  /** Rooms to choose the following room from. Only text rooms are offered. */
  rooms: readonly Room[]
  onClose: () => void
  onFollowed: (webhook: Webhook) => void
}

const words = {
  ...webhookWords,
  invalid_source_url: t('Enter the address of a room on another Foyer server.'),
  own_server: t('This room is on this server. Open it and choose Follow there.'),
  source_unreachable: t('Can’t reach that server. Check the address, or try again later.'),
  not_an_announcement_feed: t(
    'There’s no announcement room at this address that everyone can read on the web.',
  ),
  already_followed: t('The room you chose already follows this room. Choose another room.'),
  too_many_remote_follows: t('This space already follows {max} rooms on other servers.', {
    max: MAX_REMOTE_FOLLOWS,
  }),
}

/** Lets a room follow an announcement room of another server, by the address of its page on the web. */
export function FollowRemoteRoom({ rooms, onClose, onFollowed }: FollowRemoteRoomProps) {
  const { client } = useSession()
  const targets = rooms.filter(({ type }) => type === RoomType.Text)
  const [only] = targets

  async function follow({ url = '', room_id = '' }: Values) {
    const webhook = await client.rooms.followRemote(room_id || (only?.id ?? ''), url.trim())
    onClose()
    onFollowed(webhook)
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Follow a room on another server')}>
      <p>
        {t(
          'New messages from an announcement room on another Foyer server will appear here, with later edits and deletions. Everyone must be able to read that room on the web.',
        )}
      </p>
      <SubmitForm
        fields={['url', 'room_id']}
        check={(values) => checkGiven(values, 'url', words.invalid_source_url)}
        submit={follow}
        words={words}
      >
        {(pending) => (
          <>
            <FollowFields targets={targets} />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Follow')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function FollowFields({ targets }: { targets: readonly Room[] }) {
  return (
    <>
      <TextField
        name="url"
        label={t('Address of the room')}
        hint={t('The link to the room’s page on the web.')}
        inputMode="url"
        autoComplete="off"
        maxLength={limits.urlMax}
        placeholder="https://"
      />
      {targets.length > 1 && (
        <SelectField
          name="room_id"
          label={t('Room')}
          options={targets.map((room) => [room.id, roomLabel(room)])}
        />
      )}
    </>
  )
}
