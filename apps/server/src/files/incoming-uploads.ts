import { UNCLAIMED_UPLOAD_SECONDS } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { markSending, markUnsent } from './ledger.ts'

/** Uploads on their way through the server: however slow one is, its room is kept until it arrived. */
export class IncomingUploads {
  readonly #database: Pick<Database, 'execute'>
  /** How many requests write an object, by its key: a newer one may have ended an older one. */
  readonly #active = new Map<string, number>()

  constructor(database: Pick<Database, 'execute'>) {
    this.#database = database
  }

  /**
   * Receives an upload. Where it breaks off, its room is kept only as long as another one can begin.
   * @param key of its incoming place
   * @throws ApiError 404 when no message may name the upload any more
   */
  async receive(key: string, work: () => Promise<void>): Promise<void> {
    const [, tenant_id = '', id = ''] = key.split('/')
    if (!(await markSending(this.#database, { tenant_id, id }, UNCLAIMED_UPLOAD_SECONDS)))
      throw new ApiError('unknown_attachment')
    this.#add(key, 1)
    try {
      await work()
      this.#add(key, -1)
    } catch (error) {
      // Should this fail, the room is kept as long as a whole upload's.
      if (this.#add(key, -1) === 0) await markUnsent(this.#database, { tenant_id, id }).catch(() => undefined)
      throw error
    }
  }

  #add(key: string, change: 1 | -1): number {
    const count = (this.#active.get(key) ?? 0) + change
    if (count === 0) this.#active.delete(key)
    else this.#active.set(key, count)
    return count
  }
}
