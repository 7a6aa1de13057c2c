import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { MAX_HOST_SILENCE_MS } from '../hosts/queries.ts'

export interface CarriedSession {
  readonly session_id: string
  readonly host_id: string
}

/** Lists sessions whose hosts have ended, ordered by host. */
export async function listAbandoned(database: Queryable, limit: number): Promise<CarriedSession[]> {
  return database.query<CarriedSession>(sql`
    select session_id, host_id from voice_states
    where not exists (
      select from voice_hosts
      where id = host_id and seen_at > now() - ${MAX_HOST_SILENCE_MS} * interval '1 ms')
    order by host_id, session_id limit ${limit}`)
}

/** Lists sessions of all other hosts. */
export async function listOfOthers(
  database: Queryable,
  hostId: string,
  limit: number,
): Promise<CarriedSession[]> {
  return database.query<CarriedSession>(sql`
    select session_id, host_id from voice_states where host_id <> ${hostId}
    order by host_id, session_id limit ${limit}`)
}

/** Lists the sessions that the host should carry according to the database. */
export async function listCarried(database: Queryable, hostId: string): Promise<string[]> {
  const rows = await database.query<{ session_id: string }>(sql`
    select session_id from voice_states where host_id = ${hostId} order by session_id`)
  return rows.map(({ session_id }) => session_id)
}

/** Deletes hosts that have ended. */
export async function deleteSilentHosts(database: Database, silentForMs: number): Promise<void> {
  await database.execute(sql`
    delete from voice_hosts where seen_at < now() - ${silentForMs} * interval '1 ms'`)
}
