import type { Announcement } from '@foyer/protocol/announcements'

/** Maximum number of remembered announcements: more than can be current, so that a closed announcement never reappears. */
const MAX_KEPT = 50

type Revision = Pick<Announcement, 'id' | 'edited_at'>

/** Returns true if the user closed this version of the announcement in this browser. */
export function isClosed(storage: Storage, userId: string, announcement: Revision): boolean {
  return readClosed(storage, userId).includes(keyOf(announcement))
}

/** Remembers that the user closed the announcement. */
export function noteClosed(storage: Storage, userId: string, announcement: Revision): void {
  const kept = [keyOf(announcement), ...readClosed(storage, userId)].slice(0, MAX_KEPT)
  storage.setItem(storageKey(userId), JSON.stringify(kept))
}

function keyOf({ id, edited_at }: Revision): string {
  return `${id} ${edited_at}`
}

function storageKey(userId: string): string {
  return `foyer.announcements.${userId}`
}

/** Ignores invalid values, which another version of the client may have stored. */
function readClosed(storage: Storage, userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
