import { UNCLAIMED_UPLOAD_SECONDS } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { markSending, markUnsent } from './ledger.ts'

/** Tracks uploads in progress through the server, so that slow ones keep their reservation. */
export class IncomingUploads {
  readonly #database: Pick<Database, 'execute'>
  /** Number of open requests by key: a new attempt may overlap with the one that it replaces. */
  readonly #active = new Map<string, number>()

  constructor(database: Pick<Database, 'execute'>) {
    this.#database = database
  }

  /**
   * Receives an upload. If the upload is interrupted, its reservation ends once no new attempt can begin.
   * @param key the incoming key of the upload
   * @throws ApiError 404 if no message can use the upload any more
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
      // If `markUnsent` fails, the reservation lasts as long as for a complete upload.
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
