import type { Message } from '@foyer/protocol/messages'
import { Forums } from '@foyer/sdk/api/forums'
import { t } from '#src/language/texts.ts'
import type { Session } from '#src/session/session.ts'
import type { ThreadEntry } from '#src/store/state.ts'

/** Marks a message as the answer of its post; null removes the mark. */
export async function solve({ client, store }: Session, id: string, messageId: string | null): Promise<void> {
  const forums = client.api(Forums)
  const { own: _, ...thread } = await (messageId === null ? forums.unsolve(id) : forums.solve(id, messageId))
  store.adopt('THREAD_UPDATE', thread)
}

interface Solver {
  readonly myId: string | undefined
  /** True if the user has the permission ManageThreads. */
  readonly isManager: boolean
}

/**
 * Returns a function that returns the action to mark a message as the answer, or to remove the mark; null if the user may not.
 * Returns undefined for threads that are not posts. The first message cannot be the answer. Members who neither wrote the post
 * nor manage threads can only mark their own message, while there is no other answer.
 */
export function answeringOf(session: Session, entry: ThreadEntry, { myId, isManager }: Solver) {
  const solved = entry.thread.solved_message_id
  if (solved === undefined) return undefined
  const isAsker = entry.thread.creator_id === myId
  return (message: Message) => {
    const isAnswer = solved === message.id
    const isOwn = message.author.id === myId && message.webhook_id === null && (solved === null || isAnswer)
    const isOpening = message.id === entry.thread.opening_message_id
    if (isOpening || !(isManager || isAsker || isOwn)) return null
    return isAnswer
      ? { label: t('Remove answer mark'), run: () => solve(session, entry.id, null) }
      : { label: t('Mark as answer'), run: () => solve(session, entry.id, message.id) }
  }
}
