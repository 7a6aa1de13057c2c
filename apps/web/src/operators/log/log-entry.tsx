import type { OperatorLogEntry } from '@foyer/protocol/operators'
import { SquareTerminal } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ChangeList } from '#src/spaces/settings/audit-log/change-list.tsx'
import { SentenceText } from '#src/spaces/settings/audit-log/sentence-text.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { formatClock, formatFull } from '#src/ui/time/time.ts'
import type { LogTarget } from '../links.ts'
import { changesOf } from './changes.ts'
import type { NamedEntry } from './log-entries.ts'
import { actorName, sentenceOf } from './sentences.ts'

interface LogEntryProps {
  named: NamedEntry
  onTarget: ((target: LogTarget) => void) | null
}

export function LogEntry({ named, onTarget }: LogEntryProps) {
  const { entry } = named
  const sentence = sentenceOf(named)
  const fields = changesOf(entry)
  const target = targetOf(entry, sentence.values.target ?? '')
  return (
    <li className="audit-entry">
      <ActorPicture named={named} />
      <div className="audit-texts">
        <p>
          <SentenceText {...sentence} />
        </p>
        <p className="settings-note">
          <time dateTime={entry.created_at} title={formatFull(entry.created_at)}>
            {formatClock(entry.created_at)}
          </time>
        </p>
        {entry.reason !== null && (
          <p className="settings-quote">
            <span className="visually-hidden">{t('Reason')}: </span>
            {entry.reason}
          </p>
        )}
        {fields.length > 0 && (
          <details>
            <summary>{t('Details')}</summary>
            <ChangeList rights={null} fields={fields} />
          </details>
        )}
      </div>
      {target !== null && onTarget !== null && (
        <Button
          look="text"
          className="audit-undo"
          aria-label={t('Show only this: {name}', { name: target.name })}
          onClick={() => onTarget(target)}
        >
          {t('Show only this')}
        </Button>
      )}
    </li>
  )
}

/** Returns the account or space to filter the log by; null for other targets, which usually have only one entry. */
function targetOf({ target_type, target_id }: OperatorLogEntry, name: string): LogTarget | null {
  if (target_id === null || (target_type !== 'user' && target_type !== 'space')) return null
  return { id: target_id, name }
}

function ActorPicture({ named }: { named: NamedEntry }) {
  const { actor_id } = named.entry
  if (actor_id !== null)
    return <Avatar id={actor_id} name={actorName(named)} picture={named.actor?.avatar ?? null} />
  return (
    <span className="audit-machine" aria-hidden="true">
      <SquareTerminal />
    </span>
  )
}
