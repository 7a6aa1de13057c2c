import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { t } from '#src/language/texts.ts'
import type { EntryNames } from './names.ts'
import type { Sentences } from './sentence-table.ts'

/** Sentences about threads and posts. The log contains only what moderators did with them. */
export const threadSentences = {
  thread_update: (entry, names) =>
    isInForum(entry, names)
      ? t('{actor} changed the post {target} in {room}')
      : t('{actor} changed the thread {target} in {room}'),
  thread_delete: (entry, names) =>
    isInForum(entry, names)
      ? t('{actor} deleted the post {target} in {room}')
      : t('{actor} deleted the thread {target} in {room}'),
  thread_move: (entry, names) =>
    isInForum(entry, names)
      ? t('{actor} moved messages into the post {target} in {room}')
      : t('{actor} moved messages into the thread {target} in {room}'),
  thread_merge: (entry, names) =>
    isInForum(entry, names)
      ? t('{actor} merged the post {target} in {room} into another one')
      : t('{actor} merged the thread {target} in {room} into another one'),
} satisfies Partial<Sentences>

function isInForum({ room_id }: AuditLogEntry, names: EntryNames): boolean {
  return names.isForum(room_id)
}
