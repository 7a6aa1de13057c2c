import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { deleteAppealsBy, deleteAppealsOf, findAppealOf } from '../queries.ts'

/** Deletes the user's appeal, if any, after the ban was lifted without a decision on the appeal, and notifies the user. */
export async function endAppeal(transaction: Transaction, spaceId: string, userId: string): Promise<void> {
  const ended = await findAppealOf(transaction, spaceId, userId)
  if (ended === undefined) return
  await deleteAppealsOf(transaction, spaceId, [userId])
  const lifted = { ...ended, state: 'accepted', answer: null, decided_at: new Date().toISOString() } as const
  transaction.publish(event(topicOf.user(userId), 'APPEAL_UPDATE', lifted))
  if (ended.state === 'open') publishAppeals(transaction, spaceId)
}

/** Deletes all appeals of a user whose account is deleted. */
export async function endAppealsBy(transaction: Transaction, userId: string): Promise<void> {
  for (const spaceId of await deleteAppealsBy(transaction, userId)) publishAppeals(transaction, spaceId)
}

/** Makes the moderators' clients request the appeals again. */
export function publishAppeals(transaction: Transaction, spaceId: string): void {
  transaction.publish(event(topicOf.space(spaceId), 'APPEALS_UPDATE', { space_id: spaceId }))
}
