import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { findRooms } from '#src/spaces/queries.ts'

/** Publishes the rooms in their current state. */
export async function publishRooms(
  transaction: Transaction,
  spaceId: string,
  roomIds: readonly string[],
): Promise<void> {
  for (const room of await findRooms(transaction, spaceId, roomIds))
    transaction.publish(event(topicOf.room(spaceId, room.id), 'ROOM_UPDATE', room))
}
