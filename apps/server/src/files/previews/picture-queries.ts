import { discardFiles } from '#src/files/objects/actions.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A copy of a third party's picture. */
export interface Picture {
  attachment_id: string
  content_type: string
  width: number | null
  height: number | null
}

/** Returns the tenant's copy if it is at most a day old, and keeps it for another hour, used or not. */
export async function holdPicture(
  database: Database,
  tenantId: string,
  urlHash: Buffer,
): Promise<Picture | undefined> {
  const [picture] = await database.execute<Picture>(sql`
    update preview_pictures set check_at = greatest(check_at, now() + interval '1 hour')
    where tenant_id = ${tenantId} and attachment_id = (
      select attachment_id from preview_pictures
      where tenant_id = ${tenantId} and url_hash = ${urlHash} and created_at > now() - interval '1 day'
      order by created_at desc, attachment_id desc limit 1)
    returning attachment_id, content_type, width, height`)
  return picture
}

export async function insertPicture(
  transaction: Queryable,
  tenantId: string,
  urlHash: Buffer,
  picture: Picture & { size_bytes: number },
): Promise<void> {
  await transaction.query(sql`
    insert into preview_pictures (tenant_id, attachment_id, url_hash, content_type, size_bytes, width, height, check_at)
    values (${tenantId}, ${picture.attachment_id}, ${urlHash}, ${picture.content_type}, ${picture.size_bytes},
      ${picture.width}, ${picture.height}, now() + interval '1 hour')`)
}

/** A message and its channel. */
export interface Showing {
  tenantId: string
  channelId: string
  messageId: string
}

/** Records that the message uses the pictures. The pictures of a forward may belong to another tenant. */
export async function insertUses(
  transaction: Queryable,
  { tenantId, channelId, messageId }: Showing,
  attachmentIds: readonly string[],
): Promise<void> {
  if (attachmentIds.length === 0) return
  await transaction.query(sql`
    insert into preview_picture_uses (tenant_id, attachment_id, message_tenant_id, channel_id, message_id)
    select tenant_id, id, ${tenantId}, ${channelId}, ${messageId} from attachments
    where id = any(${attachmentIds}) and purpose = 'preview' and state = 'live'
    on conflict do nothing`)
}

export interface DuePicture {
  tenant_id: string
  attachment_id: string
}

export async function findDuePictures(database: Queryable, limit: number): Promise<DuePicture[]> {
  return database.query<DuePicture>(sql`
    select tenant_id, attachment_id from preview_pictures
    where check_at <= now() order by check_at, attachment_id limit ${limit}`)
}

/** Deletes the due pictures that no message uses. The others are checked again the next day. */
export async function sweepPictures(
  transaction: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    delete from preview_picture_uses as used
    where tenant_id = ${tenantId} and attachment_id = any(${ids}) and not exists (
      select from messages
      where messages.tenant_id = used.message_tenant_id and messages.channel_id = used.channel_id
        and messages.id = used.message_id
        and position(used.attachment_id::text in concat(messages.embeds, messages.snapshot)) > 0)`)
  const gone = await transaction.query<{ attachment_id: string }>(sql`
    delete from preview_pictures
    where tenant_id = ${tenantId} and attachment_id = any(${ids}) and check_at <= now() and not exists (
      select from preview_picture_uses as used
      where used.tenant_id = ${tenantId} and used.attachment_id = preview_pictures.attachment_id)
    returning attachment_id`)
  await transaction.query(sql`
    update preview_pictures set check_at = now() + interval '1 day'
    where tenant_id = ${tenantId} and attachment_id = any(${ids}) and check_at <= now()`)
  const goneIds = gone.map(({ attachment_id }) => attachment_id)
  await discardFiles(transaction, tenantId, goneIds)
}

/** Limits of a tenant's pictures. */
export interface Kept {
  pictures: number
  bytes: number
}

/** Returns the tenant's pictures over the limits, oldest first. */
export async function findSurplus(
  database: Queryable,
  tenantId: string,
  { kept, limit }: { kept: Kept; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ attachment_id: string }>(sql`
    select attachment_id from (
      select attachment_id, row_number() over newest as place, sum(size_bytes) over newest as bytes
      from preview_pictures where tenant_id = ${tenantId}
      window newest as (order by created_at desc, attachment_id desc)
    ) as counted
    where place > ${kept.pictures} or bytes > ${kept.bytes}
    order by place desc limit ${limit}`)
  return rows.map(({ attachment_id }) => attachment_id)
}

export async function findUses(
  database: Queryable,
  tenantId: string,
  attachmentId: string,
  limit: number,
): Promise<Showing[]> {
  const rows = await database.query<{ tenant: string; channel: string; message: string }>(sql`
    select message_tenant_id as tenant, channel_id as channel, message_id as message from preview_picture_uses
    where tenant_id = ${tenantId} and attachment_id = ${attachmentId}
    order by message_tenant_id, channel_id, message_id limit ${limit}`)
  return rows.map(({ tenant, channel, message }) => ({
    tenantId: tenant,
    channelId: channel,
    messageId: message,
  }))
}

export async function deleteUse(
  transaction: Queryable,
  { tenantId, attachmentId }: { tenantId: string; attachmentId: string },
  { tenantId: messageTenantId, channelId, messageId }: Showing,
): Promise<void> {
  await transaction.query(sql`
    delete from preview_picture_uses
    where tenant_id = ${tenantId} and attachment_id = ${attachmentId} and message_tenant_id = ${messageTenantId}
      and channel_id = ${channelId} and message_id = ${messageId}`)
}

/** @returns false while a message uses the picture */
export async function deletePicture(
  transaction: Queryable,
  tenantId: string,
  attachmentId: string,
): Promise<boolean> {
  const gone = await transaction.query(sql`
    delete from preview_pictures
    where tenant_id = ${tenantId} and attachment_id = ${attachmentId} and not exists (
      select from preview_picture_uses where tenant_id = ${tenantId} and attachment_id = ${attachmentId})
    returning attachment_id`)
  return gone.length > 0
}
