import { LEAST_ID } from '@foyer/protocol/ids'
import type { Place } from '#src/channels/place.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type MessageRow, messageColumns } from '#src/messages/rows.ts'
import type { ArchivedSpace } from '../format.ts'

export type SpaceSettings = Omit<
  ArchivedSpace,
  'roles' | 'rooms' | 'automod_rules' | 'emojis' | 'stickers'
> & {
  icon: string | null
  banner: string | null
}

/** Finds the settings of a space; undefined for a deleted one. */
export async function findSettings(database: Queryable, spaceId: string): Promise<SpaceSettings | undefined> {
  const [space] = await database.query<SpaceSettings>(sql`
    select name, description, icon, banner, locale, system_room_id, audit_log_days, retention_days, raid_sensor,
      raid_sensor_joins
    from spaces where id = ${spaceId} and deleted_at is null`)
  return space
}

/** Lists messages of a room in the order of their ids. */
async function listInOrder(
  database: Queryable,
  { tenantId, channelId }: Place,
  { after, limit }: { after: string; limit: number },
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id > ${after}
    order by id limit ${limit}`)
}

/** Lists all messages of a room or thread in the order of their ids, page by page. */
export async function* messagePages(
  database: Queryable,
  place: Place,
  limit: number,
): AsyncGenerator<MessageRow[]> {
  let after: string | undefined = LEAST_ID
  while (after !== undefined) {
    const rows: MessageRow[] = await listInOrder(database, place, { after, limit })
    after = rows[limit - 1]?.id
    if (rows.length > 0) yield rows
  }
}

/** Lists all messages of threads, sorted by thread id, then by message id. */
export async function listOfThreads(
  database: Queryable,
  spaceId: string,
  threadIds: readonly string[],
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${spaceId} and channel_id = any(${threadIds}::uuid[])
    order by channel_id, id`)
}

/** Returns the names that a space shows: nicknames of members, and the display names of other users. */
export async function listShownNames(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return database.query(sql`
    select users.id, coalesce(nickname, alias, username) as name
    from users left join members on space_id = ${spaceId} and user_id = users.id
    where users.id = any(${userIds}::uuid[])`)
}

/** Lists the files of a space's messages, the newest first. */
export async function listShownFiles(
  database: Queryable,
  spaceId: string,
  { before, limit }: { before: string; limit: number },
): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments
    where tenant_id = ${spaceId} and id < ${before} and purpose = 'message' and state = 'live'
      and message_id is not null
    order by id desc limit ${limit}`)
}
