import { useEffect, useRef, useState } from 'react'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import './invite-dialog.css'
import { inviteLink, isLocalAddress } from './invite-link.ts'

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

/** Creates an invite link on opening, and one more for each other expiry that the user selects. */
export function InviteDialog({ spaceId, spaceName, roomId, roomName, onClose }: InviteDialogProps) {
  const [maxAge, setMaxAge] = useState(0)
  const link = useNewInvite(spaceId, roomId, maxAge)
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Invite people to {space}', { space: spaceName })}
      description={t('Anyone with this link can join. They’ll start in #{room}.', { room: roomName })}
    >
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
        onChange={(age) => setMaxAge(Number(age))}
      />
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

interface NewInvite {
  readonly value: string
  readonly error: string | null
}

const UNDER_WAY: NewInvite = { value: '', error: null }

/** Creates one invite per expiry and reuses it. */
function useNewInvite(spaceId: string, roomId: string, maxAge: number): NewInvite {
  const { client } = useSession()
  const [links, setLinks] = useState<Readonly<Record<number, NewInvite>>>({})
  const begun = useRef(new Set<number>())

  useEffect(() => {
    // Effects may run twice, but only one invite is needed.
    if (begun.current.has(maxAge)) return
    begun.current.add(maxAge)
    const keep = (link: NewInvite) => setLinks((before) => ({ ...before, [maxAge]: link }))
    client.invites.create(spaceId, roomId, { max_age: maxAge }).then(
      (invite) => keep({ value: inviteLink(invite.code), error: null }),
      (error) => keep({ value: '', error: errorMessage(error) }),
    )
  }, [client, spaceId, roomId, maxAge])

  return links[maxAge] ?? UNDER_WAY
}
