import { RoomType } from '@foyer/protocol/rooms'
import { ownerRoomOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'

/** Returns the text room whose threads can take messages of a channel: itself, or that of a thread; null without one. */
export function threadRoomOf(state: Pick<State, 'rooms' | 'threads'>, channelId: string) {
  const id = ownerRoomOf(state, channelId)
  return state.rooms[id]?.type === RoomType.Text ? id : null
}
