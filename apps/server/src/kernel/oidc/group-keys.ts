import { createHash } from 'node:crypto'

/** Characters of a key: few, because a cookie contains keys, but enough that no two groups share a key. */
const KEY_LENGTH = 22

/** Returns a short key for a provider's group, because the name of a group may have hundreds of characters. */
export function groupKey(group: string): string {
  return createHash('sha256').update(group).digest('base64url').slice(0, KEY_LENGTH)
}
