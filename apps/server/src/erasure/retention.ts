import type { Place } from '#src/channels/place.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { runPaced } from '#src/kernel/pacing.ts'
import { deleteMessages } from '#src/messages/actions/messages.ts'
import { keepUnheld, listAged, listAgedRooms } from './retention-queries.ts'

/** Ids per MESSAGE_DELETE_BULK, as in a bulk deletion by request. */
const BATCH = 100
/** Rooms per look-up. */
const ROOMS_AT_ONCE = 50

/**
 * Deletes messages that are older than their room or space keeps them, with everything that belongs to them, as a
 * moderator would delete them in bulk.
 * @returns true if more may be left
 */
export function deleteAgedMessages(database: Database, signal?: AbortSignal): Promise<boolean> {
  let rooms: Place[] = []
  let last: Place | undefined
  return runPaced(async () => {
    const [room] = rooms
    if (room === undefined) {
      rooms = await listAgedRooms(database, { after: last, limit: ROOMS_AT_ONCE })
      last = rooms.at(-1)
      return rooms.length > 0
    }
    const isMore = await database.transaction((transaction) => deleteSome(transaction, room))
    if (!isMore) rooms.shift()
    return true
  }, signal)
}

/** @returns true if more may be left in the room */
async function deleteSome(transaction: Transaction, room: Place): Promise<boolean> {
  if (!(await keepUnheld(transaction, room.tenantId))) return false
  const ids = await listAged(transaction, room, BATCH)
  const deleted = await deleteMessages(transaction, room, ids)
  return ids.length === BATCH && deleted > 0
}
