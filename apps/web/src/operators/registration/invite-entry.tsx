import type { OperatorInvite } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import { Check, Copy } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { formatRemaining } from '#src/spaces/settings/invites/remaining.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useCopy } from '#src/ui/buttons/use-copy.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { operatorWords } from '../words.ts'
import { signUpLink } from './sign-up-link.ts'

interface InviteEntryProps {
  invite: OperatorInvite
  now: number
  /** Receives the focus after the invite is revoked. */
  focusAfter: RefObject<HTMLElement | null>
  onRevoked: () => void
}

export function InviteEntry({ invite, now, focusAfter, onRevoked }: InviteEntryProps) {
  const maker = useAppState((state) => state.users[invite.created_by ?? ''])
  const { copied, error, copy } = useCopy()
  const { code, note, created_at, expires_at } = invite
  const ago = formatAgo(created_at, now)
  return (
    <li className="settings-row">
      <span className="settings-names">
        {note === null ? (
          <code className="settings-name">{code}</code>
        ) : (
          <span className="settings-name">{note}</span>
        )}
        <span className="settings-note operator-notes">
          {note !== null && <code>{code}</code>}
          <span>{usesOf(invite)}</span>
          {expires_at === null ? (
            <span>{t('never expires')}</span>
          ) : (
            <time dateTime={expires_at} title={formatFull(expires_at)}>
              {t('expires {remaining}', { remaining: formatRemaining(expires_at, now) })}
            </time>
          )}
        </span>
        <span className="settings-note">
          {maker === undefined
            ? t('Created {ago}', { ago })
            : t('By {name}, {ago}', { name: personName(maker), ago })}
        </span>
      </span>
      <span className="settings-actions">
        <IconButton
          label={t('Copy link for {code}', { code })}
          icon={copied === null ? <Copy /> : <Check />}
          onClick={() => copy(signUpLink(invite))}
        />
        <span role="status" className="visually-hidden">
          {copied === null ? '' : t('Link copied.')}
        </span>
        <Revoke invite={invite} focusAfter={focusAfter} onRevoked={onRevoked} />
      </span>
      <ErrorLine message={error} />
    </li>
  )
}

function usesOf({ uses, max_uses }: OperatorInvite): string {
  if (max_uses > 0)
    return counted(max_uses, '{uses} of {count} account', '{uses} of {count} accounts', { uses })
  return uses === 0 ? t('not used yet') : counted(uses, '{count} account', '{count} accounts')
}

function Revoke({ invite, focusAfter, onRevoked }: Omit<InviteEntryProps, 'now'>) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)

  async function revoke() {
    await client.api(Administration).deleteInvite(invite.id)
    onRevoked()
  }

  return (
    <>
      <Button aria-label={t('Revoke {code}', { code: invite.code })} onClick={() => setOpen(true)}>
        {t('Revoke')}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Revoke this invite?')}
        action={t('Revoke')}
        words={operatorWords}
        run={revoke}
        focusAfter={focusAfter}
      >
        <p>
          {t('The invite {code} stops working immediately. Accounts created with it stay.', {
            code: invite.code,
          })}
        </p>
      </Confirm>
    </>
  )
}
