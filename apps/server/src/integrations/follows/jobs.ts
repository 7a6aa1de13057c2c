import { LEAST_ID } from '@foyer/protocol/ids'
import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueFirst, enqueueInLine, enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { mayAnnounce, type Snapshots, type SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Copier } from './copier.ts'
import { sweepMarks } from './copies.ts'
import { endHiddenIn } from './followers.ts'
import { listFollowedRooms, listFollowedSpaces } from './queries.ts'

const NAME = 'copy_announcements'

const Webhook = Type.Object({ space_id: Type.String(), webhook_id: Type.String() })

const Space = Type.Object({ space_id: Type.String() })
const SPACES = 100

interface Deps {
  database: Database
  snapshots: Snapshots
}

/** Jobs that wake the copiers and pushers of a process, end follows, and delete the marks of deleted webhooks. */
export function followJobs(deps: Deps, servants: readonly Pick<Copier, 'look'>[]): JobTable {
  const wake = async () => {
    for (const servant of servants) servant.look()
  }
  return {
    handlers: {
      [NAME]: wake,
      sweep_copies: (payload) => sweepCopiesOf(deps.database, Parse(Webhook, payload)),
      end_follows: (payload) => endHiddenIn(deps, Parse(Space, payload).space_id),
      sweep_follows: () => sweepFollows(deps),
    },
    schedule: ['43 * * * * sweep_follows'],
  }
}

/** Ends follows whose job was not enqueued, because a process was killed. These follows have copied nothing since then. */
async function sweepFollows(deps: Deps): Promise<void> {
  let after = LEAST_ID
  while (true) {
    const spaceIds = await listFollowedSpaces(deps.database, { after, limit: SPACES })
    for (const spaceId of spaceIds) await endHiddenIn(deps, spaceId)
    const last = spaceIds.at(-1)
    if (last === undefined || spaceIds.length < SPACES) return
    after = last
  }
}

/** Deletes one batch of the webhook's marks. The next batch is a separate job, so that a stopping server only waits for one. */
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

const MEMBER_CHANGES: readonly string[] = ['SPACE_MEMBER_UPDATE', 'SPACE_MEMBER_DELETE']

type RequestDeps = Deps & { log: Pick<Logger, 'warn'> }

/**
 * Enqueues the job that copies announcements, as soon as this process has changed a message of an announcement room.
 * Any process may run it.
 */
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

  /** Enqueues the job. If this fails, a copier finds the change at its next look. */
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

/** Delay before a space's follows are checked, so that further changes of the space are covered. */
const END_DELAY_SECONDS = 1

/** Enqueues a job that ends follows, after this process has changed who may view an announcement room. */
export class EndRequests {
  readonly #deps: RequestDeps
  readonly #sent = new Set<string>()

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    for (const { name, topic } of events) {
      const isChange = topic.kind === 'access' || MEMBER_CHANGES.includes(name)
      if (isChange && this.#mayConcern(topic.tenantId)) this.#send(topic.tenantId)
    }
  }

  #mayConcern(spaceId: string): boolean {
    const snapshot = this.#deps.snapshots.current(spaceId)
    return !this.#sent.has(spaceId) && (snapshot === undefined || hasAnnouncements(snapshot))
  }

  /** Enqueues the job. If this fails, a sweep ends the follows. */
  #send(spaceId: string): void {
    this.#sent.add(spaceId)
    this.#request(spaceId)
      .catch((error: Error) => this.#deps.log.warn({ err: error }, 'follows could not be ended'))
      .finally(() => this.#sent.delete(spaceId))
  }

  async #request(spaceId: string): Promise<void> {
    const { database } = this.#deps
    if ((await listFollowedRooms(database, spaceId)).length === 0) return
    const line = { queue: 'end_follows', key: `end_follows ${spaceId}`, delaySeconds: END_DELAY_SECONDS }
    await enqueueInLine(database, 'end_follows', { space_id: spaceId }, line)
  }
}

function hasAnnouncements({ rooms }: SpaceSnapshot): boolean {
  return [...rooms.values()].some(({ announces }) => announces === true)
}
