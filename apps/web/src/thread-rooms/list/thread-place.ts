import { RoomType } from '@foyer/protocol/rooms'
import type { State } from '#src/store/state.ts'

/** Returns true if threads can begin in a channel: it is a text room. */
export function hasThreads({ rooms }: Pick<State, 'rooms'>, channelId: string): boolean {
  return rooms[channelId]?.type === RoomType.Text
}
