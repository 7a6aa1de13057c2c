import type { Room } from '@foyer/protocol/rooms'
import { useAppState, useSession } from '#src/session/context.ts'
import { RetentionField } from '../../retention/retention-field.tsx'

/** How long the messages of the room are kept. */
export function RoomRetention({ room }: { room: Room }) {
  const { client, store } = useSession()
  const inherited = useAppState((state) => state.spaces[room.space_id]?.retention_days ?? null)
  const save = async (retention_days: number | null) =>
    store.adopt('ROOM_UPDATE', await client.rooms.update(room.space_id, room.id, { retention_days }))
  return <RetentionField days={room.retention_days} inherited={inherited} save={save} />
}
