import type { OperatorUser } from '@foyer/protocol/operators'
import { Building2, KeyRound, Lock, LockOpen, ScrollText, ServerCog, Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { personName } from '#src/store/users.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { useLogLink, useSpacesLink } from '../links.ts'
import { Mark } from '../mark.tsx'
import { type RowAction, RowMenu } from '../row-menu.tsx'
import { type PersonAction, PersonDialog } from './person-dialog.tsx'

interface PersonEntryProps {
  account: OperatorUser
  /** Called with the changed account, or null for a deleted one, and a text about it. */
  onChange: (userId: string, account: OperatorUser | null, message: string) => void
  /** Receives the focus after the account is deleted. */
  focusAfter: RefObject<HTMLElement | null>
}

export function PersonEntry({ account, onChange, focusAfter }: PersonEntryProps) {
  const { user, is_operator, locked_at, lock_reason } = account
  const [chosen, setChosen] = useState<PersonAction | null>(null)
  const actions = useActions(account, setChosen)
  const name = personName(user)
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={user.id} name={name} picture={user.avatar} />
        <span className="settings-names">
          <span className="operator-name">
            <span className="settings-name">{name}</span>
            {user.is_bot && <BotBadge />}
            {is_operator && <Mark>{t('Administrator')}</Mark>}
            {locked_at !== null && <Mark isStop>{t('Locked')}</Mark>}
          </span>
          <span className="settings-note operator-notes">
            <span>@{user.username}</span>
            <time dateTime={user.created_at} title={formatFull(user.created_at)}>
              {t('account created {ago}', { ago: formatAgo(user.created_at) })}
            </time>
            {locked_at !== null && (
              <time dateTime={locked_at} title={formatFull(locked_at)}>
                {t('locked {ago}', { ago: formatAgo(locked_at) })}
              </time>
            )}
          </span>
          {lock_reason !== null && <span className="settings-quote">{lock_reason}</span>}
        </span>
      </span>
      <RowMenu name={`@${user.username}`} actions={actions} />
      {chosen !== null && (
        <PersonDialog
          action={chosen}
          account={account}
          onChange={(changed, message) => onChange(user.id, changed, message)}
          onClose={() => setChosen(null)}
          focusAfter={focusAfter}
        />
      )}
    </li>
  )
}

function useActions(account: OperatorUser, choose: (action: PersonAction) => void): readonly RowAction[] {
  const { user, is_operator, has_second_factor, has_passkeys, locked_at } = account
  const openLog = useLogLink()
  const openSpaces = useSpacesLink()
  const isLocked = locked_at !== null
  const isPerson = !user.is_bot
  return [
    ...(isPerson ? [{ label: t('Spaces they own'), Icon: Building2, run: () => openSpaces(user.id) }] : []),
    {
      label: t('Show in the log'),
      Icon: ScrollText,
      run: () => openLog({ id: user.id, name: `@${user.username}` }),
    },
    ...(isPerson && !is_operator && !isLocked
      ? [{ label: t('Make administrator…'), Icon: ServerCog, run: () => choose('grant') }]
      : []),
    ...(is_operator
      ? [
          {
            label: t('Remove as administrator…'),
            Icon: ServerCog,
            isDanger: true,
            run: () => choose('revoke'),
          },
        ]
      : []),
    ...(has_second_factor || has_passkeys
      ? [
          {
            label: t('Remove second factor and passkeys…'),
            Icon: KeyRound,
            run: () => choose('second-factor'),
          },
        ]
      : []),
    isLocked
      ? { label: t('Unlock…'), Icon: LockOpen, run: () => choose('unlock') }
      : { label: t('Lock…'), Icon: Lock, isDanger: true, run: () => choose('lock') },
    { label: t('Delete account…'), Icon: Trash2, isDanger: true, run: () => choose('delete') },
  ]
}
