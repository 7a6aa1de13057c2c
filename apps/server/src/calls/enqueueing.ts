import { CALL_RING_SECONDS } from '@foyer/protocol/voice'
import type { Transaction } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob, enqueueLater } from '#src/kernel/jobs.ts'
import type { EndedCall } from './queries.ts'

export const END_RINGING = 'end_ringing'
export const END_CALL = 'end_call'
export const POST_CALL = 'post_call'

/** Enqueues the end of the ringing, in the transaction that starts the ringing, so that both use one clock. */
export async function enqueueQuiet(transaction: Transaction, conversationId: string): Promise<void> {
  await enqueueLater(transaction, END_RINGING, { conversation_id: conversationId }, CALL_RING_SECONDS)
}

/** Seconds that a call waits for users who lost the connection. Their clients retry for half a minute. */
const HELD_SECONDS = 30

/** Enqueues the end of the call, in the transaction that records that its last user lost the connection. */
export async function enqueueEnd(transaction: Transaction, conversationId: string): Promise<void> {
  await enqueueLater(transaction, END_CALL, { conversation_id: conversationId }, HELD_SECONDS)
}

/**
 * Enqueues the message about the call, in the transaction that ends the call. The job may run twice; the nonce prevents a
 * second message.
 */
export async function enqueueRecord(
  transaction: Transaction,
  conversationId: string,
  call: EndedCall,
): Promise<void> {
  await enqueueJob(transaction, POST_CALL, { ...call, conversation_id: conversationId, nonce: newId() })
}
