import type { UserStatus } from '@foyer/protocol/presence'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { saveChosenStatus } from './queries.ts'

/** Changes the status of the user on all of their devices. It stays until they choose another one. */
export async function chooseStatus(
  database: Database,
  userId: string,
  { status }: UserStatus,
): Promise<UserStatus> {
  await database.transaction(async (transaction) => {
    await saveChosenStatus(transaction, userId, status === 'online' ? null : status)
    transaction.publish(event(topicOf.user(userId), 'STATUS_UPDATE', { status }))
  })
  return { status }
}
