import type { Newcomer } from '@foyer/protocol/door'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'

interface NewcomerRowProps {
  newcomer: Newcomer
  name: string
  isChosen: boolean
  onToggle: () => void
}

export function NewcomerRow({ newcomer, name, isChosen, onToggle }: NewcomerRowProps) {
  const { user, joined_at, has_left } = newcomer
  return (
    <li>
      <label className="newcomer">
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <span className="settings-person">
          <Avatar id={user.id} name={name} picture={user.avatar} />
          <span className="settings-names">
            <span className="settings-name">{name}</span>
            <span className="settings-note newcomer-notes">
              <span>@{user.username}</span>
              <time dateTime={user.created_at} title={formatFull(user.created_at)}>
                {t('account created {ago}', { ago: formatAgo(user.created_at) })}
              </time>
              <time dateTime={joined_at} title={formatFull(joined_at)}>
                {t('arrived {ago}', { ago: formatAgo(joined_at) })}
              </time>
            </span>
            {has_left && (
              <span className="settings-note">
                {t('Left the space. You can still remove their messages.')}
              </span>
            )}
          </span>
        </span>
      </label>
    </li>
  )
}
