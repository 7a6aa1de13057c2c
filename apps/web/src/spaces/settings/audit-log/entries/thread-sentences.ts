import { t } from '#src/language/texts.ts'
import type { Sentences } from './sentence-table.ts'

/** Sentences about threads, of which the log has what moderators did. */
export const threadSentences = {
  thread_update: () => t('{actor} changed the thread {target} in {room}'),
  thread_delete: () => t('{actor} deleted the thread {target} in {room}'),
  thread_move: () => t('{actor} moved messages into the thread {target} in {room}'),
  thread_merge: () => t('{actor} merged the thread {target} in {room} into another one'),
} satisfies Partial<Sentences>
