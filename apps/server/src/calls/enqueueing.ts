import { CALL_RING_SECONDS } from '@foyer/protocol/voice'
import type { Transaction } from '#src/kernel/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob, enqueueLater } from '#src/kernel/jobs.ts'
import type { EndedCall } from './queries.ts'

export const END_RINGING = 'end_ringing'
export const END_CALL = 'end_call'
export const POST_CALL = 'post_call'

/** In the transaction that lets it ring: it ends by the same clock. */
export async function enqueueQuiet(transaction: Transaction, conversationId: string): Promise<void> {
  await enqueueLater(transaction, END_RINGING, { conversation_id: conversationId }, CALL_RING_SECONDS)
}

/** How long a call waits for those whom a server has lost: they take half a minute before they give up. */
const HELD_SECONDS = 30

/** In the transaction that finds nobody there any more. */
export async function enqueueEnd(transaction: Transaction, conversationId: string): Promise<void> {
  await enqueueLater(transaction, END_CALL, { conversation_id: conversationId }, HELD_SECONDS)
}

/** In the transaction that ends the call: what ended is told. A job may run twice; the nonce makes it one message. */
export async function enqueueRecord(
  transaction: Transaction,
  conversationId: string,
  call: EndedCall,
): Promise<void> {
  await enqueueJob(transaction, POST_CALL, { ...call, conversation_id: conversationId, nonce: newId() })
}
