import type { InteractionUpdate } from '@foyer/protocol/interactions'
import { topicOf } from '#src/kernel/bus.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { encodeEvent, event } from '#src/kernel/events.ts'
import { saveEphemeral } from './answer-queries.ts'
import type { InteractionRow } from './queries.ts'

/** What has become of an interaction, and what came of it. */
interface News {
  state: InteractionUpdate['state']
  message?: InteractionUpdate['message'] | undefined
  choices?: InteractionUpdate['choices'] | undefined
  modal?: InteractionUpdate['modal'] | undefined
}

/** Tells who asked, and keeps the message that they alone see. */
export async function tellInvoker(
  transaction: Transaction,
  { id, application_id, user_id, nonce }: Pick<InteractionRow, 'id' | 'application_id' | 'user_id' | 'nonce'>,
  { state, message = null, choices = null, modal = null }: News,
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
