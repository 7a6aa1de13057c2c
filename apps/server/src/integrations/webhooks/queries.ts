import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface WebhookRow {
  space_id: string
  id: string
  room_id: string
  name: string
  avatar: string | null
  creator_id: string
  /** Encrypted, bound to the webhook's id; null for a follow, by which only the server posts. */
  token: Buffer | null
  /** Encrypted, bound to `secretContext`; null if deliveries need no signature. */
  secret: Buffer | null
  created_at: string
  /** The announcement room that a follow copies from; null for other webhooks. */
  source_space_id: string | null
  source_room_id: string | null
  /** The origin of the other server that the announcement room is on; null for a room of this one. */
  source_server: string | null
}

const columns = fragment`space_id, id, room_id, name, avatar, creator_id, token, secret, created_at,
  source_space_id, source_room_id, source_server`

/** Finds a webhook by id alone: its address names no space. */
export async function findWebhook(database: Queryable, id: string): Promise<WebhookRow | undefined> {
  const [webhook] = await database.query<WebhookRow>(sql`
    select ${columns} from webhooks where id = ${id}`)
  return webhook
}

/** Lists webhooks, oldest first. */
export async function listWebhooks(database: Queryable, spaceId: string): Promise<WebhookRow[]> {
  return database.query<WebhookRow>(sql`
    select ${columns} from webhooks
    where space_id = ${spaceId} order by id`)
}

/** Lists the room's webhooks, oldest first. */
export async function listWebhooksOfRoom(
  database: Queryable,
  spaceId: string,
  roomId: string,
): Promise<WebhookRow[]> {
  return database.query<WebhookRow>(sql`
    select ${columns} from webhooks
    where space_id = ${spaceId} and room_id = ${roomId} order by id`)
}

export type NewWebhook = Omit<WebhookRow, 'created_at'>

export async function insertWebhook(transaction: Queryable, webhook: NewWebhook): Promise<WebhookRow> {
  const [inserted] = await transaction.query<WebhookRow>(sql`
    insert into webhooks
      (space_id, id, room_id, name, avatar, creator_id, token, secret, source_space_id, source_room_id, source_server)
    values (${webhook.space_id}, ${webhook.id}, ${webhook.room_id}, ${webhook.name}, ${webhook.avatar},
      ${webhook.creator_id}, ${webhook.token}, ${webhook.secret}, ${webhook.source_space_id}, ${webhook.source_room_id},
      ${webhook.source_server})
    returning ${columns}`)
  if (inserted === undefined) throw new Error('a webhook that was just made cannot be read')
  return inserted
}

export async function saveWebhook(transaction: Queryable, webhook: WebhookRow): Promise<void> {
  await transaction.query(sql`
    update webhooks set room_id = ${webhook.room_id}, name = ${webhook.name}, avatar = ${webhook.avatar},
      secret = ${webhook.secret}
    where space_id = ${webhook.space_id} and id = ${webhook.id}`)
}

export async function deleteWebhookRow(transaction: Queryable, spaceId: string, id: string): Promise<void> {
  await transaction.query(sql`delete from webhooks where space_id = ${spaceId} and id = ${id}`)
}

/** @param keys names folded by `foldName` */
export async function hasMemberNamed(
  database: Queryable,
  spaceId: string,
  keys: readonly string[],
): Promise<boolean> {
  const [row] = await database.query<{ has: boolean }>(sql`
    select exists (select from members where space_id = ${spaceId} and username_key = any(${keys}))
      or exists (select from members where space_id = ${spaceId} and alias_key = any(${keys}))
      or exists (select from members where space_id = ${spaceId} and nickname_key = any(${keys})) as has`)
  return row?.has ?? false
}
