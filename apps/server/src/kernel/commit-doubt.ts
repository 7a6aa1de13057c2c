import pg from 'pg'
import type { Event } from './bus.ts'
import { ApiError } from './errors.ts'
import { findEvents } from './journal.ts'
import type { Queryable } from './sql.ts'
import { sql } from './sql.ts'

const RETRY_MS = 250

export interface CommitDoubtOptions {
  database: Queryable
  /** The longest a transaction can still be under way in a database that answers, in milliseconds. */
  settleMs: number
  onCommit: (events: readonly Event[]) => Promise<void>
}

/**
 * A connection that breaks during a commit leaves open whether it happened. What did must still be told to those who
 * listen: once the database answers again and the transaction can no longer be under way, the journal has the truth.
 * However many commits an outage leaves open, one question goes to the database at a time.
 */
export class CommitDoubt {
  readonly #options: CommitDoubtOptions
  #open: Event[] = []
  #running: Promise<void> | undefined
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
  resolve(events: readonly Event[]): void {
    this.#open.push(...events)
    if (this.#open.length > 0) this.#running ??= this.#run()
  }

  close(): void {
    this.#closed = true
  }

  async #run(): Promise<void> {
    while (this.#open.length > 0 && !this.#closed) {
      const events = this.#open
      this.#open = []
      // A database that hung has its transactions still before it.
      await this.#ask(() => this.#options.database.query(sql`select 1`))
      await pause(this.#options.settleMs)
      const committed = await this.#ask(() => findEvents(this.#options.database, events))
      if (committed !== undefined && committed.length > 0) await this.#options.onCommit(committed)
    }
    this.#running = undefined
  }

  /** Until there is an answer, or nobody needs it any more. */
  async #ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    while (!this.#closed) {
      const answer = await question().catch(() => undefined)
      if (answer !== undefined) return answer
      await pause(RETRY_MS)
    }
    return undefined
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
