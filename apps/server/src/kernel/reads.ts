import pg from 'pg'
import { CommitDoubt } from './commit-doubt.ts'
import type { Replica } from './replica.ts'
import type { Queryable } from './sql.ts'

/** A row that was read went on the primary meanwhile. */
const RECOVERY_CONFLICT = '40001'

export type ReadPlace = 'primary' | 'replica'

/**
 * Runs large reads where they disturb nobody: on the replica, if there is one and it has all that is committed by now. So no
 * answer is older than on the primary: what somebody just wrote, they read. Where it lags, is away or breaks off, the primary
 * is read.
 */
export class Reads {
  readonly #primary: Queryable
  readonly #replica: Replica | undefined
  readonly #onChange: (place: ReadPlace) => void
  #last: ReadPlace

  /** @param onChange hears when reads go elsewhere than before */
  constructor(primary: Queryable, replica?: Replica, onChange: (place: ReadPlace) => void = () => undefined) {
    this.#primary = primary
    this.#replica = replica
    this.#onChange = onChange
    this.#last = replica === undefined ? 'primary' : 'replica'
  }

  /** @param work reads only; it may run twice */
  async run<T>(work: (database: Queryable, place: ReadPlace) => Promise<T>): Promise<T> {
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

  #onPrimary<T>(work: (database: Queryable, place: ReadPlace) => Promise<T>): Promise<T> {
    this.#note('primary')
    return work(this.#primary, 'primary')
  }

  #note(place: ReadPlace): void {
    if (place === this.#last) return
    this.#last = place
    this.#onChange(place)
  }
}

function isOfReplica(error: unknown): boolean {
  if (CommitDoubt.leaves(error)) return true
  return (
    error instanceof pg.DatabaseError &&
    (error.code === RECOVERY_CONFLICT || /^(53|57)/.test(error.code ?? ''))
  )
}
