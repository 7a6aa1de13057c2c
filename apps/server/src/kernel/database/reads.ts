import pg from 'pg'
import { CommitDoubt } from '../journal/commit-doubt.ts'
import type { Queryable } from '../sql/sql.ts'
import type { Replica } from './replica.ts'

/** PostgreSQL cancelled the read, because a row it needs was removed on the primary. */
const RECOVERY_CONFLICT = '40001'

export type ReadTarget = 'primary' | 'replica'

/**
 * Runs large reads on the replica, if there is one and it has everything committed so far. No answer is older than
 * on the primary: users can read what they just wrote. If the replica lags, is unreachable or fails, the primary is read.
 */
export class Reads {
  readonly #primary: Queryable
  readonly #replica: Replica | undefined
  readonly #onChange: (target: ReadTarget) => void
  #last: ReadTarget

  /** @param onChange called when reads move to the other database */
  constructor(
    primary: Queryable,
    replica?: Replica,
    onChange: (target: ReadTarget) => void = () => undefined,
  ) {
    this.#primary = primary
    this.#replica = replica
    this.#onChange = onChange
    this.#last = replica === undefined ? 'primary' : 'replica'
  }

  /** @param work reads only; it may run twice */
  async run<T>(work: (database: Queryable, target: ReadTarget) => Promise<T>): Promise<T> {
    const replica = this.#replica
    if (replica === undefined || !(await replica.isUpToDate())) return this.#onPrimary(work)
    try {
      const result = await work(replica, 'replica')
      this.#note('replica')
      return result
    } catch (error) {
      if (!isOfReplica(error)) throw error
      replica.pause()
      return this.#onPrimary(work)
    }
  }

  async close(): Promise<void> {
    await this.#replica?.close()
  }

  #onPrimary<T>(work: (database: Queryable, target: ReadTarget) => Promise<T>): Promise<T> {
    this.#note('primary')
    return work(this.#primary, 'primary')
  }

  #note(target: ReadTarget): void {
    if (target === this.#last) return
    this.#last = target
    this.#onChange(target)
  }
}

function isOfReplica(error: unknown): boolean {
  if (CommitDoubt.leaves(error)) return true
  return (
    error instanceof pg.DatabaseError &&
    (error.code === RECOVERY_CONFLICT || /^(53|57)/.test(error.code ?? ''))
  )
}
