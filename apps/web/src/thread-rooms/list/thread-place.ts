import { RoomType } from '@foyer/protocol/rooms'
import type { State } from '#src/store/state.ts'

/** Returns the text room whose threads can take messages of a channel: itself, or that of a thread; null without one. */
export function threadRoomOf({ rooms, threads }: Pick<State, 'rooms' | 'threads'>, channelId: string) {
  const id = threads[channelId]?.parent_id ?? channelId
  return rooms[id]?.type === RoomType.Text ? id : null
}
