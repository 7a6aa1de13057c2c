import type { Room } from '@foyer/protocol/rooms'

/** What a room is called: its name may have been cleared. */
export function roomName({ name }: Pick<Room, 'name'>): string {
  return name === '' ? 'untitled' : name
}
