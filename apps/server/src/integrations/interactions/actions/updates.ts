import type { InteractionUpdate } from '@foyer/protocol/interactions'
import type { Transaction } from '#src/kernel/database/database.ts'
import { encodeEvent, event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { saveEphemeral } from '../answer-queries.ts'
import type { InteractionRow } from '../queries.ts'

/** The new state of an interaction, and its result. */
interface InteractionChange {
  state: InteractionUpdate['state']
  message?: InteractionUpdate['message'] | undefined
  choices?: InteractionUpdate['choices'] | undefined
  modal?: InteractionUpdate['modal'] | undefined
}

/** Publishes the update to the invoker, and stores an ephemeral message. */
export async function updateInvoker(
  transaction: Transaction,
  { id, application_id, user_id, nonce }: Pick<InteractionRow, 'id' | 'application_id' | 'user_id' | 'nonce'>,
  { state, message = null, choices = null, modal = null }: InteractionChange,
): Promise<void> {
  if (message !== null && state !== 'deleted')
    await saveEphemeral(transaction, {
      id: message.id,
      applicationId: application_id,
      userId: user_id,
      interactionId: id,
      message: encodeEvent('MESSAGE_CREATE', message),
    })
  const update = { id, nonce, application_id, state, message, choices, modal }
  transaction.publish(event(topicOf.user(user_id), 'INTERACTION_UPDATE', update))
}
