import type { OperatorSpace } from '@foyer/protocol/operators'
import { ScrollText, Snowflake, Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { useLogLink } from '../links.ts'
import { Mark } from '../mark.tsx'
import { RowMenu } from '../row-menu.tsx'
import { type SpaceAction, SpaceDialog } from './space-dialog.tsx'

interface SpaceEntryProps {
  found: OperatorSpace
  /** Called with the changed space, or null for a deleted one, and a text about it. */
  onChange: (spaceId: string, changed: OperatorSpace | null, message: string) => void
  /** Receives the focus after the space is deleted. */
  focusAfter: RefObject<HTMLElement | null>
}

export function SpaceEntry({ found, onChange, focusAfter }: SpaceEntryProps) {
  const { space, owner, member_count, freeze_reason } = found
  const { id, name, icon, created_at, frozen_at } = space
  const [chosen, setChosen] = useState<SpaceAction | null>(null)
  const openLog = useLogLink()
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={id} name={name} picture={icon} />
        <span className="settings-names">
          <span className="operator-name">
            <span className="settings-name">{name}</span>
            {frozen_at !== null && <Mark isStop>{t('Frozen')}</Mark>}
          </span>
          <span className="settings-note operator-notes">
            <span>{t('owned by {name}', { name: `@${owner.username}` })}</span>
            <span>{counted(member_count, '{count} member', '{count} members')}</span>
            <time dateTime={created_at} title={formatFull(created_at)}>
              {t('created {ago}', { ago: formatAgo(created_at) })}
            </time>
            {frozen_at !== null && (
              <time dateTime={frozen_at} title={formatFull(frozen_at)}>
                {t('frozen {ago}', { ago: formatAgo(frozen_at) })}
              </time>
            )}
          </span>
          {freeze_reason !== null && <span className="settings-quote">{freeze_reason}</span>}
        </span>
      </span>
      <RowMenu
        name={name}
        actions={[
          { label: t('Show in the log'), Icon: ScrollText, run: () => openLog({ id, name }) },
          frozen_at === null
            ? { label: t('Freeze…'), Icon: Snowflake, isDanger: true, run: () => setChosen('freeze') }
            : { label: t('Unfreeze…'), Icon: Snowflake, run: () => setChosen('unfreeze') },
          { label: t('Delete space…'), Icon: Trash2, isDanger: true, run: () => setChosen('delete') },
        ]}
      />
      {chosen !== null && (
        <SpaceDialog
          action={chosen}
          found={found}
          onChange={(changed, message) => onChange(id, changed, message)}
          onClose={() => setChosen(null)}
          focusAfter={focusAfter}
        />
      )}
    </li>
  )
}
