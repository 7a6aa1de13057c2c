import { createHash } from 'node:crypto'

/** Characters of a key: short, because a cookie contains keys, and long enough that no two groups share one. */
const KEY_LENGTH = 22

/** Returns a short name for a group of a provider, whose own may have hundreds of characters. */
export function groupKey(group: string): string {
  return createHash('sha256').update(group).digest('base64url').slice(0, KEY_LENGTH)
}
