import type { Door, UpdateDoorBody } from '@foyer/protocol/door'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'
import { closeDoor, publishDoor } from '#src/spaces/door/actions.ts'
import { findDoor, saveOpen } from '#src/spaces/door/queries.ts'
import { saveSensor } from '../queries.ts'

const MINUTE_MS = 60_000

/** Closes or opens the door, and sets its sensor. Publishes nothing if nothing changed. */
export async function updateDoor(
  { database }: { database: Database },
  access: SpaceAccess,
  body: UpdateDoorBody,
): Promise<Door> {
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'KickMembers')
    const before = await findDoor(transaction, held.spaceId)
    const { sensor = before.sensor, sensor_joins = before.sensor_joins, joined_minutes } = body
    const setsSensor = sensor !== before.sensor || sensor_joins !== before.sensor_joins
    if (setsSensor) await saveSensor(transaction, { space_id: held.spaceId, sensor, sensor_joins })
    const isMoved = await moveDoor(transaction, held, body)
    if (!setsSensor && !isMoved) return before
    const after = await publishDoor(transaction, held.spaceId)
    await record(transaction, held, 'door_update', {
      ...targetOf(held.snapshot.space),
      before: fieldsOf(before),
      after: { ...fieldsOf(after), ...(isMoved && joined_minutes && { joined_minutes }) },
    })
    return after
  })
}

function fieldsOf({ closed_at, cause, sensor, sensor_joins }: Door) {
  return { closed: closed_at !== null, cause, sensor, sensor_joins }
}

/** @returns false if the door did not change and no member had to wait */
async function moveDoor(
  transaction: Transaction,
  { spaceId, snapshot, caller }: HeldSpace,
  { closed, joined_minutes: minutes = 0 }: UpdateDoorBody,
): Promise<boolean> {
  if (closed === undefined) return false
  if (!closed) {
    const space = await saveOpen(transaction, spaceId)
    if (space === undefined) return false
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_UPDATE', space))
    return true
  }
  const since = Date.now() - minutes * MINUTE_MS
  return closeDoor(transaction, snapshot.space, { cause: 'moderator', closedBy: caller.user.id, since })
}
