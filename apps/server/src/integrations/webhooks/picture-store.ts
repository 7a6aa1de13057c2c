import { discardFiles } from '#src/files/objects/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { WebhookRow } from './queries.ts'

/** Maximum pictures per space that are kept, besides the current avatars of its webhooks. */
const MAX_KEPT_PICTURES = 500

export interface FetchedPicture {
  attachment_id: string
  /** Milliseconds since the picture was fetched. */
  age_ms: number
}

type Picturing = Pick<WebhookRow, 'space_id' | 'id'>

/** Finds the webhook's picture for the address, and updates its time of last use. */
export async function useFetchedPicture(
  database: Queryable,
  { space_id, id }: Picturing,
  urlHash: Buffer,
): Promise<FetchedPicture | undefined> {
  const [picture] = await database.query<FetchedPicture>(sql`
    update webhook_pictures set used_at = now()
    where space_id = ${space_id} and webhook_id = ${id} and url_hash = ${urlHash}
    returning attachment_id, extract(epoch from now() - fetched_at)::float8 * 1000 as age_ms`)
  return picture
}

/**
 * Records a picture of the webhook, and deletes the space's least recently used pictures over the limit.
 * @param picture replaces an older picture with the same `urlHash`, the hash of its address
 */
export async function keepPicture(
  transaction: Transaction,
  webhook: Picturing,
  { attachmentId, urlHash }: { attachmentId: string; urlHash: Buffer | null },
): Promise<void> {
  const { space_id, id } = webhook
  await transaction.query(sql`
    update webhook_pictures set url_hash = null
    where space_id = ${space_id} and webhook_id = ${id} and url_hash = ${urlHash}`)
  await transaction.query(sql`
    insert into webhook_pictures (space_id, attachment_id, webhook_id, url_hash)
    values (${space_id}, ${attachmentId}, ${id}, ${urlHash})`)
  const gone = await transaction.query<{ attachment_id: string }>(sql`
    delete from webhook_pictures where space_id = ${space_id} and attachment_id in (
      select attachment_id from webhook_pictures as kept
      where space_id = ${space_id} and not exists (
        select from webhooks where space_id = ${space_id} and avatar = kept.attachment_id)
      order by used_at desc, attachment_id desc offset ${MAX_KEPT_PICTURES})
    returning attachment_id`)
  const ids = gone.map(({ attachment_id }) => attachment_id)
  await discardFiles(transaction, space_id, ids)
}
