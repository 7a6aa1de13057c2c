import pg from 'pg'
import { ApiError } from '../errors.ts'
import type { Queryable } from '../sql/sql.ts'
import { sql } from '../sql/sql.ts'
import type { Event } from './bus.ts'
import { findEvents } from './journal.ts'

const RETRY_MS = 250

export interface CommitDoubtOptions {
  database: Queryable
  /** Longest time, in milliseconds, that a transaction may still run after the database answers again. */
  settleMs: number
  onCommit: (events: readonly Event[]) => Promise<void>
}

/**
 * Resolves commits with an unknown outcome. A connection that breaks during a commit leaves open whether it
 * happened, and if it did, its events must still be published. Once the database answers again and the transaction
 * must have ended, the journal shows the outcome. One query runs at a time, however many commits an outage leaves
 * open.
 */
export class CommitDoubt {
  readonly #options: CommitDoubtOptions
  #open: Event[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(options: CommitDoubtOptions) {
    this.#options = options
  }

  /** Returns true if the error leaves the outcome open: it is neither an ApiError nor a refusal by the database. */
  static leaves(error: unknown): boolean {
    if (error instanceof ApiError) return false
    return !(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? '')
  }

  /** Publishes the events that turn out to be committed. */
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
      // A database that was hanging may still have to run the transactions that it was sent.
      await this.#ask(() => this.#options.database.query(sql`select 1`))
      await pause(this.#options.settleMs)
      const committed = await this.#ask(() => findEvents(this.#options.database, events))
      if (committed !== undefined && committed.length > 0) await this.#options.onCommit(committed)
    }
    this.#running = undefined
  }

  /** Repeats the query until it succeeds, or until `close` is called. */
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
