import type { Place } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A host without a heartbeat for this long counts as ended. */
export const MAX_HOST_SILENCE_MS = 5000

/** Records that the host is running, with its number of sessions. */
export async function saveHost(database: Database, id: string, sessions: number): Promise<void> {
  await database.execute(sql`
    insert into voice_hosts (id, sessions) values (${id}, ${sessions})
    on conflict (id) do update set sessions = excluded.sessions, seen_at = now()`)
}

export async function deleteHost(database: Database, id: string): Promise<void> {
  await database.execute(sql`delete from voice_hosts where id = ${id}`)
}

/** Lists hosts whose heartbeat is overdue. */
export async function listQuietHosts(database: Queryable, quietForMs: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from voice_hosts where seen_at < now() - ${quietForMs} * interval '1 ms' order by id`)
  return rows.map(({ id }) => id)
}

/** Deletes a host, unless it has sent a heartbeat in the last `quietForMs`. */
export async function deleteQuietHost(database: Database, id: string, quietForMs: number): Promise<void> {
  await database.execute(sql`
    delete from voice_hosts where id = ${id} and seen_at < now() - ${quietForMs} * interval '1 ms'`)
}

/** Finds the running host of the place. */
export async function findHostOf(
  database: Queryable,
  { tenantId, channelId }: Place,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from voice_states join voice_hosts on id = host_id
    where tenant_id = ${tenantId} and channel_id = ${channelId}
      and seen_at > now() - ${MAX_HOST_SILENCE_MS} * interval '1 ms'
    order by joined_at desc, id limit 1`)
  return row?.id
}

export async function findLeastLoadedHost(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from voice_hosts where seen_at > now() - ${MAX_HOST_SILENCE_MS} * interval '1 ms'
    order by sessions, id limit 1`)
  return row?.id
}
