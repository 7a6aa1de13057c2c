import { Permission } from '@foyer/protocol/permissions'
import { useState } from 'react'
import { RichText } from '#src/language/rich-text.tsx'
import { counted, t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import './invite-dialog.css'
import { DoorNote } from './door-note.tsx'
import { isLocalAddress } from './invite-link.ts'
import { NameForm } from './name-form.tsx'
import { useNewInvite } from './use-new-invite.ts'

interface InviteDialogProps {
  spaceId: string
  spaceName: string
  roomId: string
  roomName: string
  onClose: () => void
}

const HOUR = 3600

const ages = [
  ['0', t('Never')],
  [String(7 * 24 * HOUR), t('After 7 days')],
  [String(24 * HOUR), t('After 1 day')],
  [String(HOUR), t('After 1 hour')],
] as const

const uses = [
  ['0', t('Any number of people')],
  ...[1, 5, 10, 25, 50, 100].map(
    (count) => [String(count), counted(count, '{count} person', '{count} people')] as const,
  ),
] as const

const stays = [
  ['', t('For good')],
  ['temporary', t('Until they disconnect, or for good once they get a role')],
] as const

/** Creates an invite link when opened, and another one when the user first chooses a combination of limits. */
export function InviteDialog({ spaceId, spaceName, roomId, roomName, onClose }: InviteDialogProps) {
  const [limits, setLimits] = useState({ max_age: 0, max_uses: 0, temporary: false })
  const link = useNewInvite(spaceId, roomId, limits)
  const isDoorClosed = useAppState((state) => (state.spaces[spaceId]?.door_closed_at ?? null) !== null)
  const mayName = usePermissions(spaceId).may(Permission.ManageInvites)
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Invite people to {space}', { space: spaceName })}
      description={
        isDoorClosed
          ? t('Anyone with this link can ask to join. They’ll start in #{room}.', { room: roomName })
          : t('Anyone with this link can join. They’ll start in #{room}.', { room: roomName })
      }
    >
      {isDoorClosed && <DoorNote />}
      {link.error === null ? (
        <CopyRow
          label={t('Invite link')}
          action={t('Copy link')}
          value={link.value}
          placeholder={t('Creating a link…')}
        />
      ) : (
        <p role="alert" className="form-error">
          {link.error}
        </p>
      )}
      <SelectField
        name="max_age"
        label={t('Expires')}
        options={ages}
        onChange={(age) => setLimits((before) => ({ ...before, max_age: Number(age) }))}
      />
      <SelectField
        name="max_uses"
        label={t('Can be used by')}
        options={uses}
        onChange={(count) => setLimits((before) => ({ ...before, max_uses: Number(count) }))}
      />
      <SelectField
        name="temporary"
        label={t('Members who join stay')}
        options={stays}
        onChange={(stay) => setLimits((before) => ({ ...before, temporary: stay !== '' }))}
      />
      {mayName && <NameForm setName={link.setName} />}
      {isLocalAddress(window.location.hostname) && (
        <p className="copy-note">
          <RichText
            text={t(
              'This link only works on this computer. To invite others, start Foyer with <code>HOST=0.0.0.0</code> or put it behind a proxy, then copy the link again.',
            )}
            tags={{ code: (inside) => <code>{inside}</code> }}
          />
        </p>
      )}
    </Modal>
  )
}
