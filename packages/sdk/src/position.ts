import type { Dispatch } from './frames.ts'

/** Time for which ids are remembered. Replays begin 15 s before the position, because events may be committed that late. */
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20_000

/**
 * Position of this client in the journal. Events arrive at least once and only roughly in order, so duplicates are
 * detected by remembering ids, not by comparing positions.
 */
export class Position {
  readonly #seen = new Set<string>()
  /** Ids of messages about which the current replay has brought an event that is new to this client. */
  readonly #renewed = new Set<string>()
  #greatest: string | null = null
  #replayFrom: string | null = null

  /**
   * Position to resume from. It does not advance during a replay: live events arrive between replayed ones, and resuming from
   * a live event would skip the rest of the replay.
   */
  get resumeFrom(): string | null {
    return this.#replayFrom ?? this.#greatest
  }

  /**
   * Records an event by its position. Returns false if it was received before, with one exception. A replay may bring an
   * event about a message from before the client could see its room. Later events about this message are then accepted again:
   * otherwise, the replayed creation of a message would undo its deletion.
   * @param messages ids of the messages that the event is about
   */
  accept(s: string, messages: readonly string[] = []): boolean {
    const isNew = !this.#seen.has(s)
    if (isNew) {
      this.#seen.add(s)
      this.advance(s)
      this.#prune()
    }
    if (this.#replayFrom === null) return isNew
    if (isNew) for (const id of messages) this.#renewed.add(id)
    return isNew || messages.some((id) => this.#renewed.has(id))
  }

  /** Advances the position without remembering the id. */
  advance(s: string): void {
    if (this.#greatest === null || s > this.#greatest) this.#greatest = s
  }

  beginReplay(): void {
    this.#replayFrom = this.resumeFrom
  }

  endReplay(): void {
    this.#replayFrom = null
    this.#renewed.clear()
    this.#prune()
  }

  /** Forgets all received events. */
  restart(): void {
    this.#seen.clear()
    this.#renewed.clear()
    this.#greatest = null
    this.#replayFrom = null
  }

  /**
   * Forgets old ids, but none during a replay: events that arrived live in its first seconds may be repeated at its
   * end.
   */
  #prune(): void {
    const isReplaying = this.#replayFrom !== null || this.#greatest === null
    const horizon = isReplaying ? 0 : readTime(this.#greatest ?? '') - REMEMBERED_MS
    for (const s of this.#seen) {
      const isOld = readTime(s) < horizon
      if (!isOld && this.#seen.size <= MAX_REMEMBERED) return
      this.#seen.delete(s)
    }
  }
}

/** Returns milliseconds since 1970, from a UUID of version 7. */
function readTime(s: string): number {
  return Number.parseInt(s.slice(0, 8) + s.slice(9, 13), 16)
}

/** Returns the ids of the messages that an event is about. */
export function messagesOf({ t, d }: Dispatch): readonly string[] {
  switch (t) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
    case 'MESSAGE_DELETE':
      return [d.id]
    case 'MESSAGE_DELETE_BULK':
      return d.ids
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
    case 'MESSAGE_REACTION_CLEAR':
      return [d.message_id]
    default:
      return []
  }
}
