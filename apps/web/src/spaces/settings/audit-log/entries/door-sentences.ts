import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { counted, t } from '#src/language/texts.ts'
import type { Sentences } from './sentence-table.ts'
import { newcomersIn } from './values.ts'

/** Sentences about the door of the space and its newcomers. */
export const doorSentences = {
  door_update: doorSentence,
  newcomers_let_in: (entry) =>
    counted(newcomersIn(entry).length, '{actor} let in {count} person', '{actor} let in {count} people'),
  newcomers_remove: (entry) =>
    entry.after?.banned === true
      ? counted(
          newcomersIn(entry).length,
          '{actor} banned {count} newcomer and deleted what they wrote',
          '{actor} banned {count} newcomers and deleted what they wrote',
        )
      : counted(
          newcomersIn(entry).length,
          '{actor} removed {count} newcomer and what they wrote',
          '{actor} removed {count} newcomers and what they wrote',
        ),
} satisfies Partial<Sentences>

function doorSentence({ actor_id, after }: AuditLogEntry): string {
  if (after?.closed === false) return t('{actor} opened the door')
  if (after?.closed === true)
    return actor_id === null ? t('The door closed by itself') : t('{actor} closed the door')
  if (typeof after?.joined_minutes === 'number') return t('{actor} made recent members wait for a moderator')
  if (after?.sensor === true) return t('{actor} set the door to close by itself in a raid')
  if (after?.sensor === false) return t('{actor} set the door not to close by itself')
  return t('{actor} changed when the door closes by itself')
}
