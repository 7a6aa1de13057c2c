import pg from 'pg'
import type { Event } from './bus.ts'
import { ApiError } from './errors.ts'
import { findEvents } from './journal.ts'
import type { Queryable } from './sql.ts'

const RETRY_MS = 250

export interface CommitDoubtOptions {
  database: Queryable
  /** The longest a transaction can still be under way in the database, in milliseconds. */
  settleMs: number
  onCommit: (events: readonly Event[]) => Promise<void>
}

/**
 * A connection that breaks during a commit leaves open whether it happened. What did must still be told to those who
 * listen: once the database answers again and the transaction can no longer be under way, the journal has the truth.
 */
export class CommitDoubt {
  readonly #options: CommitDoubtOptions
  #closed = false

  constructor(options: CommitDoubtOptions) {
    this.#options = options
  }

  /** Whether the error leaves it open: any that is neither ours nor the database's own refusal. */
  static leaves(error: unknown): boolean {
    if (error instanceof ApiError) return false
    return !(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? '')
  }

  /** Publishes those of the events that were committed after all. */
  async resolve(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    const { settleMs, onCommit } = this.#options
    await pause(settleMs)
    const committed = await this.#findCommitted(events)
    if (committed.length > 0) await onCommit(committed)
  }

  close(): void {
    this.#closed = true
  }

  async #findCommitted(events: readonly Event[]): Promise<Event[]> {
    while (!this.#closed) {
      const found = await findEvents(this.#options.database, events).catch(() => undefined)
      if (found !== undefined) return found
      await pause(RETRY_MS)
    }
    return []
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
