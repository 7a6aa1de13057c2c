import type { InviteCode } from '@foyer/protocol/invites'
import { Check, Copy } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { type Copying, useCopy } from '#src/ui/buttons/use-copy.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { inviteLink } from '../../invites/invite-link.ts'
import { formatRemaining } from './remaining.ts'

interface InviteEntryProps {
  space: SpaceEntry
  invite: InviteCode
  now: number
  /** Receives the focus after the invite is revoked. */
  focusAfter: RefObject<HTMLElement | null>
}

export function InviteEntry({ space, invite, now, focusAfter }: InviteEntryProps) {
  const inviter = useAppState((state) => state.users[invite.inviter_id])
  const room = useAppState((state) => state.rooms[invite.room_id])
  const nameOf = useNames(space.id)
  const copying = useCopy()
  const facts = [
    ...(room === undefined ? [] : [`#${room.name}`]),
    usesOf(invite),
    ...(invite.temporary ? [t('temporary membership')] : []),
  ]
  return (
    <li className="settings-row">
      <span className="settings-names">
        <code className="settings-name">{invite.code}</code>
        <span className="settings-note">
          {facts.join(' · ')} · <Expiry time={invite.expires_at} now={now} />
        </span>
        <span className="settings-note">
          {inviter === undefined
            ? t('Created {ago}', { ago: formatAgo(invite.created_at, now) })
            : t('By {name}, {ago}', { name: nameOf(inviter), ago: formatAgo(invite.created_at, now) })}
        </span>
      </span>
      <span className="settings-actions">
        <CopyLink code={invite.code} copying={copying} />
        <RevokeInvite invite={invite} focusAfter={focusAfter} />
      </span>
      {copying.error !== null && (
        <p role="alert" className="form-error">
          {copying.error}
        </p>
      )}
    </li>
  )
}

function Expiry({ time, now }: { time: string | null; now: number }) {
  if (time === null) return t('never expires')
  return (
    <time dateTime={time} title={formatFull(time)}>
      {t('expires {remaining}', { remaining: formatRemaining(time, now) })}
    </time>
  )
}

function usesOf({ uses, max_uses }: InviteCode): string {
  if (max_uses > 0) return t('{uses} of {max} uses', { uses, max: max_uses })
  return uses === 0 ? t('not used yet') : counted(uses, 'used once', 'used {count} times')
}

function CopyLink({ code, copying: { copied, copy } }: { code: string; copying: Copying }) {
  return (
    <>
      <IconButton
        label={t('Copy link for {code}', { code })}
        icon={copied === null ? <Copy /> : <Check />}
        onClick={() => copy(inviteLink(code))}
      />
      <span role="status" className="visually-hidden">
        {copied === null ? '' : t('Link copied.')}
      </span>
    </>
  )
}

function RevokeInvite({ invite, focusAfter }: Pick<InviteEntryProps, 'invite' | 'focusAfter'>) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)
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
        run={() => client.invites.revoke(invite.space_id, invite.id)}
        focusAfter={focusAfter}
      >
        <p>
          {t('The link {code} stops working immediately. People who joined with it stay.', {
            code: invite.code,
          })}
        </p>
      </Confirm>
    </>
  )
}
