import { type Room, RoomType } from '@foyer/protocol/rooms'
import { ownerRoomOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'

/**
 * Returns the room into whose threads the messages of a channel can be moved: the channel itself, or the room of a thread
 * or post. Null for conversations and for rooms without threads.
 */
export function threadRoomOf(state: Pick<State, 'rooms' | 'threads'>, channelId: string): Room | null {
  const room = state.rooms[ownerRoomOf(state, channelId)]
  return room?.forum !== undefined || room?.type === RoomType.Text ? room : null
}
