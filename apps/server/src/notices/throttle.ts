import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import { growingLru } from '#src/kernel/cache.ts'

export type NoticeKind = 'typing' | 'recording'

const MAX_KEYS = 100_000

/** Lets one notice through every 2 seconds per user, place and kind. */
export class NoticeThrottle {
  readonly #last = growingLru<number>(MAX_KEYS)

  /** Whether a notice may go out now; asking takes the turn. */
  take(kind: NoticeKind, userId: string, channelId: string): boolean {
    const key = `${kind} ${userId} ${channelId}`
    const now = performance.now()
    const last = this.#last.get(key)
    if (last !== undefined && now - last < NOTICE_INTERVAL_MS) return false
    this.#last.set(key, now)
    return true
  }
}
