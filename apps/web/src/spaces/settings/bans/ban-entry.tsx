import type { Ban } from '@foyer/protocol/bans'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { ChangeReason } from './change-reason.tsx'

interface BanEntryProps {
  space: SpaceEntry
  ban: Ban
  /** Receives the focus after the ban is lifted. */
  focusAfter: RefObject<HTMLElement | null>
}

export function BanEntry({ space, ban, focusAfter }: BanEntryProps) {
  const by = useAppState((state) => state.users[ban.banned_by])
  const nameOf = useNames(space.id)
  const name = nameOf(ban.user)
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={ban.user_id} name={name} picture={ban.user.avatar} />
        <span className="settings-names">
          <span className="settings-name">
            {name}
            {ban.user.is_bot && <BotBadge />}
          </span>
          <span className="settings-note">
            @{ban.user.username} ·{' '}
            {by === undefined
              ? t('banned {ago}', { ago: formatAgo(ban.created_at) })
              : t('banned by {name} {ago}', { name: nameOf(by), ago: formatAgo(ban.created_at) })}
          </span>
          {ban.reason !== null && <span className="settings-quote">{ban.reason}</span>}
        </span>
      </span>
      <span className="settings-actions">
        {ban.user.deleted_at === null && <ChangeReason ban={ban} name={name} />}
        <Unban space={space} userId={ban.user_id} name={name} focusAfter={focusAfter} />
      </span>
    </li>
  )
}

interface UnbanProps {
  space: SpaceEntry
  userId: string
  name: string
  focusAfter: RefObject<HTMLElement | null>
}

function Unban({ space, userId, name, focusAfter }: UnbanProps) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={t('Unban {name}', { name })} onClick={() => setOpen(true)}>
        {t('Unban')}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Unban {name}?', { name })}
        action={t('Unban')}
        look="primary"
        run={() => client.bans.delete(space.id, userId)}
        focusAfter={focusAfter}
      >
        <p>{t('They’ll be able to rejoin {name} with an invite.', { name: space.name })}</p>
      </Confirm>
    </>
  )
}
