import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueFirst, enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { mayAnnounce, type Snapshots } from '#src/spaces/snapshots.ts'
import type { Copier } from './copier.ts'
import { sweepMarks } from './copies.ts'

const NAME = 'copy_announcements'

const Webhook = Type.Object({ space_id: Type.String(), webhook_id: Type.String() })

/** Wakes the copier of a process that does jobs, and deletes the marks of deleted webhooks. */
export function followJobs(deps: { database: Database }, copier: Copier): JobTable {
  return {
    handlers: {
      [NAME]: async () => copier.look(),
      sweep_copies: (payload) => sweepCopiesOf(deps.database, Parse(Webhook, payload)),
    },
    schedule: [],
  }
}

/** Deletes one batch. The next is a separate job, so that a stopping server waits for one batch only. */
async function sweepCopiesOf(database: Database, webhook: Static<typeof Webhook>): Promise<void> {
  await database.transaction(async (transaction) => {
    if (await sweepMarks(transaction, webhook)) await enqueueJob(transaction, 'sweep_copies', webhook)
  })
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
