import type { Database } from '#src/kernel/database.ts'
import { listForLate, readConversation } from './actions-listing.ts'
import { markOpen } from './change-queries.ts'
import type { ConversationFacts } from './facts.ts'

export interface ReopenDeps {
  database: Database
  conversationFacts: ConversationFacts
}

/**
 * Has something said in the conversation: whoever closed it has it listed again, and hears of that before they hear what
 * is said. Who closes it meanwhile has it listed again behind it. Where nobody did either, it costs no query.
 */
export async function whileOpen<T>(
  deps: ReopenDeps,
  conversationId: string,
  say: () => Promise<T>,
): Promise<T> {
  await reopen(deps, conversationId)
  const said = await say()
  // It is said already: should this fail, the next message does it.
  await reopen(deps, conversationId).catch(() => undefined)
  return said
}

async function reopen({ database, conversationFacts }: ReopenDeps, id: string): Promise<void> {
  const known = await conversationFacts.find(id)
  if (known === undefined || known.members.every(({ closed_at }) => closed_at === null)) return
  await database.transaction(async (transaction) => {
    const userIds = await markOpen(transaction, id, null)
    if (userIds.length > 0) await listForLate(transaction, userIds, await readConversation(transaction, id))
  })
}
