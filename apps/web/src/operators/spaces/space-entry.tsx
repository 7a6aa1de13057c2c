import type { OperatorSpace } from '@foyer/protocol/operators'
import { ScrollText } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { formatUntil } from '#src/ui/time/until.ts'
import { useLogLink } from '../links.ts'
import { Mark } from '../mark.tsx'
import { RowMenu } from '../row-menu.tsx'
import type { SpaceAction } from './dialog-props.ts'
import { actionsOn } from './space-actions.ts'
import { SpaceDialog } from './space-dialog.tsx'

interface SpaceEntryProps {
  found: OperatorSpace
  /** Called with the changed space, and a text about it. */
  onChange: (changed: OperatorSpace, message: string) => void
  /** Receives the focus when the space leaves the list. */
  focusAfter: RefObject<HTMLElement | null>
}

export function SpaceEntry({ found, onChange, focusAfter }: SpaceEntryProps) {
  const { space, owner, member_count, freeze_reason, held_at, hold_reason } = found
  const { id, name, icon, created_at, frozen_at } = space
  const [chosen, setChosen] = useState<SpaceAction | null>(null)
  const openLog = useLogLink()
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={id} name={name} picture={found.deleted_at === null ? icon : null} />
        <span className="settings-names">
          <span className="operator-name">
            <span className="settings-name">{name}</span>
            {frozen_at !== null && <Mark isStop>{t('Frozen')}</Mark>}
            {held_at !== null && <Mark>{t('Legal hold')}</Mark>}
          </span>
          <span className="settings-note operator-notes">
            <span>
              {owner.deleted_at === null
                ? t('owned by {name}', { name: `@${owner.username}` })
                : t('owner’s account deleted')}
            </span>
            <span>{counted(member_count, '{count} member', '{count} members')}</span>
            <time dateTime={created_at} title={formatFull(created_at)}>
              {t('created {ago}', { ago: formatAgo(created_at) })}
            </time>
            <Erasure found={found} />
            {frozen_at !== null && (
              <time dateTime={frozen_at} title={formatFull(frozen_at)}>
                {t('frozen {ago}', { ago: formatAgo(frozen_at) })}
              </time>
            )}
          </span>
          {freeze_reason !== null && <span className="settings-quote">{freeze_reason}</span>}
          {hold_reason !== null && <span className="settings-quote">{hold_reason}</span>}
        </span>
      </span>
      <RowMenu
        name={name}
        actions={[
          { label: t('Show in the log'), Icon: ScrollText, run: () => openLog({ id, name }) },
          ...actionsOn(found, setChosen),
        ]}
      />
      {chosen !== null && (
        <SpaceDialog
          action={chosen}
          found={found}
          onChange={onChange}
          onClose={() => setChosen(null)}
          focusAfter={focusAfter}
        />
      )}
    </li>
  )
}

/** Shows when a deleted space is erased. Shows nothing for other spaces. */
function Erasure({ found: { deleted_at, restorable_until, held_at } }: Pick<SpaceEntryProps, 'found'>) {
  if (deleted_at === null || restorable_until === null) return null
  return (
    <>
      <time dateTime={deleted_at} title={formatFull(deleted_at)}>
        {t('deleted {ago}', { ago: formatAgo(deleted_at) })}
      </time>
      {held_at === null && (
        <time dateTime={restorable_until} title={formatFull(restorable_until)}>
          {t('erased after {time}', { time: formatUntil(restorable_until, serverNow()) })}
        </time>
      )}
    </>
  )
}
