import type { Embed, EmbedMedia } from '@foyer/protocol/embeds'
import { discardFiles } from '#src/files/objects/actions.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueInLine } from '#src/kernel/jobs.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import { withPictures } from './embed-pictures.ts'
import {
  deletePicture,
  deleteUse,
  findSurplus,
  findUses,
  type Kept,
  type Showing,
} from './picture-queries.ts'

/** Limits of a tenant. Beyond them, previews of old messages lose their picture. */
const KEPT: Kept = { pictures: 2000, bytes: 128 * 1024 * 1024 }
const MAX_EVICTED = 50
const MAX_USES = 200

/** Enqueues an eviction if a tenant is over its limits. */
export async function requestEviction(database: Database, tenantId: string): Promise<void> {
  const surplus = await findSurplus(database, tenantId, { kept: KEPT, limit: 1 })
  if (surplus.length > 0) await enqueueEviction(database, tenantId)
}

/** Removes the oldest pictures over the limit from their messages, then deletes them, in batches. */
export async function evictPictures(database: Database, tenantId: string, kept = KEPT): Promise<void> {
  const surplus = await findSurplus(database, tenantId, { kept, limit: MAX_EVICTED })
  let isMore = surplus.length === MAX_EVICTED
  for (const attachmentId of surplus) {
    const uses = await findUses(database, tenantId, attachmentId, MAX_USES)
    for (const use of uses) await takeOut(database, { tenantId, attachmentId }, use)
    if (uses.length < MAX_USES) await giveUp(database, { tenantId, attachmentId })
    else isMore = true
  }
  if (isMore) await enqueueEviction(database, tenantId)
}

interface Evicted {
  tenantId: string
  attachmentId: string
}

/** Removes the picture from a message. Publishes nothing: anyone looking at the message has already loaded the picture. */
async function takeOut(database: Database, picture: Evicted, use: Showing): Promise<void> {
  await database.transaction(async (transaction) => {
    const place = { tenantId: use.tenantId, channelId: use.channelId }
    const row = await lockMessage(transaction, place, use.messageId)
    if (row !== undefined) {
      const isEvicted = ({ attachment_id }: EmbedMedia) => attachment_id === picture.attachmentId
      const without = (embeds: readonly Embed[]) =>
        embeds.map((embed) => withPictures(embed, (shown) => (isEvicted(shown) ? null : shown)))
      const embeds = row.embeds && without(row.embeds)
      const snapshot = row.snapshot && { ...row.snapshot, embeds: without(row.snapshot.embeds) }
      await saveShown(transaction, use, { embeds, snapshot })
    }
    await deleteUse(transaction, picture, use)
  })
}

async function saveShown(
  transaction: Queryable,
  { tenantId, channelId, messageId }: Showing,
  { embeds, snapshot }: { embeds: object | null; snapshot: object | null },
): Promise<void> {
  await transaction.query(sql`
    update messages set embeds = ${embeds && JSON.stringify(embeds)}, snapshot = ${snapshot && JSON.stringify(snapshot)}
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}`)
}

async function giveUp(database: Database, { tenantId, attachmentId }: Evicted): Promise<void> {
  await database.transaction(async (transaction) => {
    const isGone = await deletePicture(transaction, tenantId, attachmentId)
    if (isGone) await discardFiles(transaction, tenantId, [attachmentId])
  })
}

function enqueueEviction(database: Database, tenantId: string): Promise<void> {
  const key = `evict_preview_pictures ${tenantId}`
  return enqueueInLine(
    database,
    'evict_preview_pictures',
    { tenant_id: tenantId },
    { queue: 'previews evicted', key },
  )
}
