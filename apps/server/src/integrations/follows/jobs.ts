import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueFirst, type JobTable } from '#src/kernel/jobs.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { mayAnnounce, type Snapshots } from '#src/spaces/snapshots.ts'
import type { Copier } from './copier.ts'

const NAME = 'copy_announcements'

/** Wakes the copier of a process that does jobs. */
export function followJobs(copier: Copier): JobTable {
  return { handlers: { [NAME]: async () => copier.look() }, schedule: [] }
}

const CHANGES: readonly string[] = [
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
]

interface RequestDeps {
  database: Database
  snapshots: Snapshots
  log: Pick<Logger, 'warn'>
}

/** Asks for copies as soon as this process has changed a message of an announcement room. Any process may make them. */
export class CopyRequests {
  readonly #deps: RequestDeps
  #isSent = false

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    if (!this.#isSent && events.some((event) => this.#concerns(event))) this.#send()
  }

  #concerns({ name, topic }: Event): boolean {
    return topic.kind === 'room' && CHANGES.includes(name) && mayAnnounce(this.#deps.snapshots, topic)
  }

  /** If it fails, the copier looks by itself soon. */
  #send(): void {
    this.#isSent = true
    const { database, log } = this.#deps
    database
      .transaction((transaction) => enqueueFirst(transaction, NAME, {}))
      .catch((error: Error) => log.warn({ err: error }, 'copies of announcements could not be requested'))
      .finally(() => {
        this.#isSent = false
      })
  }
}
