import type { Database } from '#src/kernel/database/database.ts'
import { listForLate, readConversation } from './actions/listing.ts'
import { markOpen } from './change-queries.ts'
import type { ConversationFacts } from './facts.ts'

export interface ReopenDeps {
  database: Database
  conversationFacts: ConversationFacts
}

/**
 * Runs `send`, and reopens the conversation for members who closed it: they get CONVERSATION_CREATE before the message.
 * For a member who closes it during `send`, it is reopened afterwards. If no member has closed it, nothing is written.
 */
export async function whileOpen<T>(
  deps: ReopenDeps,
  conversationId: string,
  send: () => Promise<T>,
): Promise<T> {
  await reopen(deps, conversationId)
  const result = await send()
  // The message is already sent. If reopening fails, the next message does it.
  await reopen(deps, conversationId).catch(() => undefined)
  return result
}

async function reopen({ database, conversationFacts }: ReopenDeps, id: string): Promise<void> {
  const known = await conversationFacts.find(id)
  if (known === undefined || known.members.every(({ closed_at }) => closed_at === null)) return
  await database.transaction(async (transaction) => {
    const userIds = await markOpen(transaction, id, null)
    if (userIds.length > 0) await listForLate(transaction, userIds, await readConversation(transaction, id))
  })
}
