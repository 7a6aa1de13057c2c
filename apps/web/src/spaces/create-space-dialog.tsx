import { limits } from '@foyer/protocol/limits'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { CreateSpaceResult, SpaceState } from '@foyer/protocol/spaces'
import type { Client } from '@foyer/sdk/client'
import { useLocation } from 'wouter'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { startSetup } from './setup-progress.ts'

const ImportSpaceDialog = lazyPopup(() =>
  import('./import/import-space-dialog.tsx').then((module) => module.ImportSpaceDialog),
)

const firstRoomNames = {
  text_category: t('Text rooms'),
  text_room: t('general'),
  voice_category: t('Voice rooms'),
  voice_room: t('lounge'),
}

export function CreateSpaceDialog({ onClose }: { onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const openDialog = useOpenDialog()

  function importInstead() {
    onClose()
    openDialog((close) => <ImportSpaceDialog onClose={close} />)
  }

  async function create({ name = '', description = '' }: Values) {
    const about = description.trim()
    const result = await client.spaces.create({
      name: name.trim(),
      description: about === '' ? null : about,
      room_names: firstRoomNames,
      announce_joins: true,
      raid_sensor: true,
    })
    addIncludedStorage(client, result.space.id)
    // The gateway sends this event too, but the user should not wait for it.
    store.adopt('SPACE_CREATE', stateOf(result))
    const isRoom = ({ type }: Room) => type !== RoomType.Category
    startSetup(result.space.id, result.rooms.filter(isRoom).length)
    onClose()
    navigate(`/spaces/${result.space.id}`)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Create a space')}
      description={t('A home for your group: create rooms and invite people.')}
    >
      <SubmitForm
        fields={['name', 'description']}
        check={(values) => checkGiven(values, 'name', t('Give your space a name.'))}
        submit={create}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Space name')}
              autoComplete="off"
              maxLength={limits.nameMax}
              placeholder={t('e.g. Book club')}
            />
            <TextField
              name="description"
              label={t('Description')}
              hint={t('Optional. Shown on invites.')}
              autoComplete="off"
              maxLength={limits.descriptionMax}
            />
            <div className="form-actions">
              <Button onClick={importInstead}>{t('Import a space')}</Button>
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Create space')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

/**
 * Adds a share of the server's storage, because pictures and emoji need storage. If the server offers none or the request
 * fails, the storage settings explain what to do.
 */
function addIncludedStorage(client: Client, spaceId: string): void {
  client.buckets.createIncluded(spaceId).catch(() => undefined)
}

function stateOf({ space, rooms, roles, member }: CreateSpaceResult): SpaceState {
  const empty = { overwrites: [], emojis: [], stickers: [], voice_states: [] }
  return { ...space, ...empty, rooms, roles, member, member_count: 1 }
}
