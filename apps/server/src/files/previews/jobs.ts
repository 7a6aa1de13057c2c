import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueInLine, type JobTable } from '#src/kernel/jobs.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { type PreviewDeps, previewLinks } from './actions.ts'
import { deleteExpiredPreviews } from './cache-queries.ts'
import { evictPictures } from './evictions.ts'
import { type Note, noteOf } from './notes.ts'
import { findDuePictures, sweepPictures } from './picture-queries.ts'

/** Simultaneous preview jobs. Each may wait for other hosts. */
export const PREVIEW_CONCURRENCY = 6
/** Number of queues. Each sender has one of them, so that a sender of slow links delays few others. */
const LINES = 64
/** Delays after a host could not be reached. */
const RETRY_SECONDS = [60, 300]
const MAX_SWEPT = 500

const Payload = Type.Object({
  tenant_id: Type.String(),
  channel_id: Type.String(),
  message_id: Type.String(),
  author_id: Type.String(),
  attempt: Type.Integer(),
})
type Payload = Static<typeof Payload>

const Tenant = Type.Object({ tenant_id: Type.String() })

/** Enqueues previews for messages of this process, after they were published. */
export class PreviewRequests {
  readonly #deps: { database: Database; log: Logger }

  constructor(deps: { database: Database; log: Logger }) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    for (const event of events) {
      const note = noteOf(event)
      if (note !== undefined) this.#request(note)
    }
  }

  #request(note: Note): void {
    const { database, log } = this.#deps
    enqueue(database, { ...payloadOf(note), attempt: 0 }).catch((error: Error) =>
      log.warn({ err: error }, 'previews of a message could not be requested'),
    )
  }
}

/** Job that makes previews. */
export function previewJobs(deps: PreviewDeps): JobTable {
  return {
    handlers: { preview_links: (payload) => runPreview(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** Jobs that delete expired results and unused pictures. */
export function previewSweepJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      sweep_previews: () => sweep(database),
      evict_preview_pictures: (payload) => evictPictures(database, Parse(Tenant, payload).tenant_id),
    },
    schedule: ['*/5 * * * * sweep_previews'],
  }
}

async function runPreview(deps: PreviewDeps, payload: Payload): Promise<void> {
  const place = { tenantId: payload.tenant_id, channelId: payload.channel_id }
  const isTrouble = await previewLinks(deps, place, payload.message_id)
  const delaySeconds = RETRY_SECONDS[payload.attempt]
  if (!isTrouble || delaySeconds === undefined) return
  await enqueue(deps.database, { ...payload, attempt: payload.attempt + 1 }, delaySeconds)
}

function payloadOf({ place, messageId, authorId }: Note): Omit<Payload, 'attempt'> {
  return {
    tenant_id: place.tenantId,
    channel_id: place.channelId,
    message_id: messageId,
    author_id: authorId,
  }
}

/** Each attempt has a key of its own, so that an edit does not wait for a retry. */
function enqueue(database: Database, payload: Payload, delaySeconds = 0): Promise<void> {
  const line = Number.parseInt(payload.author_id.slice(-4), 16) % LINES
  const key = `preview ${payload.message_id} ${payload.attempt}`
  return enqueueInLine(database, 'preview_links', payload, { queue: `previews ${line}`, key, delaySeconds })
}

async function sweep(database: Database): Promise<void> {
  await deleteExpiredPreviews(database)
  const due = await findDuePictures(database, MAX_SWEPT)
  for (const [tenantId, pictures] of Map.groupBy(due, ({ tenant_id }) => tenant_id)) {
    const ids = pictures.map(({ attachment_id }) => attachment_id)
    await database.transaction((transaction) => sweepPictures(transaction, tenantId, ids))
  }
}
