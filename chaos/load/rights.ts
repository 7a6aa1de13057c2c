import { EVERYONE, type Restrictions } from '../world/restrictions.ts'
import type { Sights } from '../world/sight.ts'
import { MAX_STALE_MS } from './ask.ts'

interface RightsParts {
  userId: string
  sights: Sights
  restrictions: Restrictions
  /** Ids of the rooms and groups that the user owns. Rules do not apply to an owner. */
  own: ReadonlySet<string>
}

/** Permissions of a user in rooms, groups and their threads, as far as they are certain. */
export class Rights {
  readonly #parts: RightsParts

  constructor(parts: RightsParts) {
    this.#parts = parts
  }

  /** Returns true if every process certainly granted access. */
  maySee(roomId: string, begunAt: number): boolean {
    const { userId, sights } = this.#parts
    return sights.hasBeen('yes', userId, roomId, begunAt - MAX_STALE_MS)
  }

  /** Returns true if the user certainly had no access. */
  isShutOut(roomId: string, begunAt: number): boolean {
    const { userId, sights } = this.#parts
    return sights.hasBeen('no', userId, roomId, begunAt)
  }

  /** Returns true if every process certainly granted access and applied no restriction. */
  mayWrite(roomId: string, begunAt: number, isForbidden: boolean): boolean {
    const { userId, restrictions, own } = this.#parts
    const from = begunAt - MAX_STALE_MS
    const isFree = !isForbidden || own.has(roomId) || restrictions.rules.hasBeen('no', EVERYONE, roomId, from)
    return isFree && this.maySee(roomId, begunAt) && restrictions.timeouts.hasBeen('no', userId, roomId, from)
  }

  /** Describes the violation if a restriction already applied before an acknowledged request began. */
  breachOf(roomId: string, begunAt: number, isForbidden: boolean): string | undefined {
    const { userId, restrictions, own } = this.#parts
    if (restrictions.timeouts.hasBeen('yes', userId, roomId, begunAt))
      return 'a user could write during a timeout'
    if (isForbidden && !own.has(roomId) && restrictions.rules.hasBeen('yes', EVERYONE, roomId, begunAt))
      return 'a user could send a forbidden word'
    return undefined
  }
}
