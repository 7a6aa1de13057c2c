const SPACE_KEY = 'foyer.space'
const ROOM_KEY = 'foyer.room.'
/** Storage key of the numbers of threads listed below each room. */
export const THREADS_KEY = 'foyer.threads'
/** Maximum threads listed below a room. The room's Threads button shows the others. */
export const MAX_LISTED = 8

/** The last space and rooms shown in this browser. Opening the app or a space returns there. */

export function rememberRoom(spaceId: string, roomId: string): void {
  window.localStorage.setItem(SPACE_KEY, spaceId)
  window.localStorage.setItem(ROOM_KEY + spaceId, roomId)
}

export function lastSpaceId(): string | null {
  return window.localStorage.getItem(SPACE_KEY)
}

export function lastRoomId(spaceId: string): string | null {
  return window.localStorage.getItem(ROOM_KEY + spaceId)
}
