import type { EventName, Events } from '@foyer/protocol/events'
import type { EventMeta } from '@foyer/sdk/subscribers'
import type { State } from '#src/store/state.ts'
import { forgetUnsent, type Sender } from './send.ts'

/** Applies an event of the gateway, and drops unsent messages for channels that it deletes. */
export function receiveEvent<Name extends EventName>(
  session: Sender,
  name: Name,
  data: Events[Name],
  { s }: EventMeta,
): void {
  // An event without a position in the journal (`s`) only hides channels from the user. They are not deleted.
  const deleted = s === undefined ? [] : deletedBy(name, data, session.store.get())
  session.store.receive(name, data)
  for (const id of deleted) forgetUnsent(session, id)
}

/** Returns the id of a deleted thread, or of a deleted room and its threads. */
function deletedBy(name: EventName, data: object, { threads }: State): string[] {
  if (name === 'THREAD_DELETE' && 'id' in data) return [String(data.id)]
  if (name !== 'ROOM_DELETE' || !('room_id' in data)) return []
  const inRoom = Object.values(threads).filter(({ parent_id }) => parent_id === data.room_id)
  return [String(data.room_id), ...inRoom.map(({ id }) => id)]
}
