import type { BanAppeal } from '@foyer/protocol/reports'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'

interface AppealEntryProps {
  appeal: BanAppeal
  name: string
  onDecide: (isAccepted: boolean) => void
}

/** An undecided appeal with the reason for the ban, and the buttons to decide. */
export function AppealEntry({ appeal, name, onDecide }: AppealEntryProps) {
  const { user, text, ban_reason, created_at } = appeal
  return (
    <li className="appeal">
      <Avatar id={user.id} name={name} picture={user.avatar} />
      <div className="appeal-texts">
        <p className="settings-name" dir="auto">
          {name}
        </p>
        <p className="settings-note">
          @{user.username} ·{' '}
          <time dateTime={created_at} title={formatFull(created_at)}>
            {formatAgo(created_at)}
          </time>
        </p>
        <p className="settings-quote appeal-text" dir="auto">
          {text}
        </p>
        <p className="appeal-reason">
          {ban_reason === null
            ? t('No reason was given for the ban.')
            : t('Reason for the ban: {reason}', { reason: ban_reason })}
        </p>
      </div>
      <span className="settings-actions">
        <Button aria-label={t('Let in again: {name}', { name })} onClick={() => onDecide(true)}>
          {t('Let in again')}
        </Button>
        <Button aria-label={t('Refuse {name}’s appeal', { name })} onClick={() => onDecide(false)}>
          {t('Refuse')}
        </Button>
      </span>
    </li>
  )
}
