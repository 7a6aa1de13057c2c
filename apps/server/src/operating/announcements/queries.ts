import type { Announcement, AnnouncementKind } from '@foyer/protocol/announcements'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

const columns = fragment`id, kind, text, starts_at, ends_at, edited_at`

/** The time of the database's clock, cut off to the precision of the columns. A rounded time could lie in the future. */
const now = fragment`date_trunc('milliseconds', now())`

/** Returns the visible announcements. */
export function listCurrentAnnouncements(database: Queryable): Promise<Announcement[]> {
  return database.query<Announcement>(sql`
    select ${columns} from announcements where starts_at <= now() and ends_at > now()
    order by starts_at, id`)
}

/** Returns announcements that have not ended. */
export function listAnnouncements(database: Queryable): Promise<Announcement[]> {
  return database.query<Announcement>(sql`
    select ${columns} from announcements where ends_at > now() order by starts_at, id`)
}

/** Returns an announcement that has not ended. */
export async function findAnnouncement(
  transaction: Queryable,
  id: string,
): Promise<Announcement | undefined> {
  const [found] = await transaction.query<Announcement>(sql`
    select ${columns} from announcements where id = ${id} and ends_at > now()`)
  return found
}

/** The fields that operators choose. A start of null means immediately. */
export interface AnnouncementFields {
  readonly kind: AnnouncementKind
  readonly text: string
  readonly starts_at: string | null
  readonly ends_at: string
}

/** Returns the given start (now, if it is null or in the past), the given end, and the present time. */
export async function resolveTimes(
  transaction: Queryable,
  { starts_at, ends_at }: Pick<AnnouncementFields, 'starts_at' | 'ends_at'>,
): Promise<{ starts_at: string; ends_at: string; now: string }> {
  const [times] = await transaction.query<{ starts_at: string; ends_at: string; now: string }>(sql`
    select greatest(${starts_at}::timestamptz(3), ${now}) as starts_at, ${ends_at}::timestamptz(3) as ends_at, ${now} as now`)
  if (times === undefined) throw new Error('the database returned no time')
  return times
}

export async function insertAnnouncement(
  transaction: Queryable,
  { id, kind, text, starts_at, ends_at }: AnnouncementFields & { id: string },
): Promise<Announcement> {
  const [made] = await transaction.query<Announcement>(sql`
    insert into announcements (id, kind, text, starts_at, ends_at, edited_at)
    values (${id}, ${kind}, ${text}, ${starts_at}, ${ends_at}, ${now})
    returning ${columns}`)
  if (made === undefined) throw new Error('the announcement was not stored')
  return made
}

export async function saveAnnouncement(
  transaction: Queryable,
  { id, kind, text, starts_at, ends_at }: AnnouncementFields & { id: string },
): Promise<Announcement> {
  const [saved] = await transaction.query<Announcement>(sql`
    update announcements set kind = ${kind}, text = ${text}, starts_at = ${starts_at}, ends_at = ${ends_at},
      edited_at = case when (kind, text) = (${kind}, ${text}) then edited_at else ${now} end
    where id = ${id}
    returning ${columns}`)
  if (saved === undefined) throw new Error('the announcement is gone')
  return saved
}

export async function deleteAnnouncement(transaction: Queryable, id: string): Promise<void> {
  await transaction.query(sql`delete from announcements where id = ${id}`)
}

/** Deletes ended announcements. */
export async function sweepAnnouncements(database: Queryable): Promise<void> {
  await database.query(sql`delete from announcements where ends_at < now()`)
}
