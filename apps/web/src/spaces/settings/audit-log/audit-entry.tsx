import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import type { User } from '@foyer/protocol/users'
import { Server, ShieldAlert, Undo2, Webhook } from 'lucide-react'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { formatClock, formatFull } from '#src/ui/time/time.ts'
import { ChangeList } from './change-list.tsx'
import { changesOf, isEmpty } from './entries/changes.ts'
import type { EntryNames } from './entries/names.ts'
import { sentenceOf } from './entries/sentences.ts'
import { canUndo } from './entries/undoing.ts'
import { isByAutomod } from './entries/values.ts'
import { SentenceText } from './sentence-text.tsx'
import { UndoChange } from './undo-change.tsx'

interface AuditEntryProps {
  entry: AuditLogEntry
  names: EntryNames
  /** Users in the log, some of whom the store does not know. */
  users: Readonly<Record<string, User>>
  onUndone: (entry: AuditLogEntry) => void
}

export function AuditEntry({ entry, names, users, onUndone }: AuditEntryProps) {
  const row = useRef<HTMLLIElement>(null)
  const sentence = sentenceOf(entry, names)
  const changes = changesOf(entry, names)
  return (
    <li ref={row} tabIndex={-1} className="audit-entry">
      <ActorPicture entry={entry} names={names} users={users} />
      <div className="audit-texts">
        <p>
          <SentenceText {...sentence} />
        </p>
        <p className="settings-note">
          <time dateTime={entry.created_at} title={formatFull(entry.created_at)}>
            {formatClock(entry.created_at)}
          </time>
          {entry.undoes !== null && <span>· {t('undoes an earlier change')}</span>}
          {entry.undone_by !== null && (
            <span className="audit-undone">
              <Undo2 aria-hidden="true" /> {t('Undone')}
            </span>
          )}
        </p>
        {entry.reason !== null && (
          <p className="settings-quote">
            <span className="visually-hidden">{t('Reason')}: </span>
            {entry.reason}
          </p>
        )}
        {!isEmpty(changes) && (
          <details>
            <summary>{t('Details')}</summary>
            <ChangeList {...changes} />
          </details>
        )}
      </div>
      {canUndo(entry) && (
        <UndoChange entry={entry} sentence={sentence} names={names} onUndone={onUndone} focusAfter={row} />
      )}
    </li>
  )
}

function ActorPicture({ entry, names, users }: Pick<AuditEntryProps, 'entry' | 'names' | 'users'>) {
  const { actor_id } = entry
  if (actor_id !== null)
    return <Avatar id={actor_id} name={names.user(actor_id)} picture={users[actor_id]?.avatar ?? null} />
  return (
    <span className="audit-machine" aria-hidden="true">
      <MachineIcon entry={entry} />
    </span>
  )
}

function MachineIcon({ entry: { action, target_type } }: Pick<AuditEntryProps, 'entry'>) {
  if (isByAutomod(action)) return <ShieldAlert />
  return target_type === 'webhook' ? <Webhook /> : <Server />
}
