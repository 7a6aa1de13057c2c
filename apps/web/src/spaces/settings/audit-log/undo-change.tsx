import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { Undo2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { joined } from '#src/language/formats.ts'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import type { Words } from '#src/ui/fields/form-errors.ts'
import { ChangeList } from './change-list.tsx'
import { restoredBy } from './entries/changes.ts'
import type { EntryNames } from './entries/names.ts'
import { lackedRights } from './entries/right-changes.ts'
import { plainSentence, type Sentence } from './entries/sentences.ts'
import { undoText } from './entries/undoing.ts'
import { SentenceText } from './sentence-text.tsx'

interface UndoChangeProps {
  entry: AuditLogEntry
  sentence: Sentence
  names: EntryNames
  /** Adds the entry of the undo to the list. */
  onUndone: (entry: AuditLogEntry) => void
  focusAfter: RefObject<HTMLElement | null>
}

const CHANGED = t('This was changed again since then. Look at the newer entry.')
const GONE = t('What was changed here no longer exists.')

const words: Words = {
  already_undone: t('This was already undone.'),
  changed_since: CHANGED,
  unknown_ban: CHANGED,
  unknown_timeout: CHANGED,
  unknown_overwrite: CHANGED,
  unknown_member: t('This person is no longer a member.'),
  unknown_role: GONE,
  unknown_room: GONE,
  missing_permission: t('You need the permission to make this change yourself before you can undo it.'),
}

/** A button that undoes the change of an entry, after showing what that restores. */
export function UndoChange({ entry, sentence, names, onUndone, focusAfter }: UndoChangeProps) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  const text = undoText(entry, names)
  const lacked = lackedRights(entry, usePermissions(entry.space_id).flags)
  return (
    <>
      <Button
        look="text"
        className="audit-undo"
        aria-label={t('Undo: {change}', { change: plainSentence(sentence) })}
        onClick={() => setOpen(true)}
      >
        <Undo2 aria-hidden="true" /> {t('Undo')}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Undo this change?')}
        action={t('Undo')}
        look="primary"
        words={words}
        run={async () => onUndone(await client.auditLog.undo(entry.space_id, entry.id))}
        focusAfter={focusAfter}
      >
        <p className="settings-quote audit-quote">
          <SentenceText {...sentence} />
        </p>
        <p>{text ?? t('This will change back:')}</p>
        {text === null && <ChangeList {...restoredBy(entry, names)} />}
        {lacked.length > 0 && (
          <p>
            {t('You can’t undo this, because you don’t have these permissions yourself: {names}.', {
              names: joined(lacked),
            })}
          </p>
        )}
      </Confirm>
    </>
  )
}
