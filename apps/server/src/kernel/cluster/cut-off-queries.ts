import type { Database } from '../database/database.ts'
import { type Queryable, sql } from '../sql/sql.ts'

/** A process that has not renewed its entry for this long has reached Valkey again, or has ended. */
const MAX_QUIET_MS = 5000

/** A process that no other process receives, and since when, in milliseconds since 1970. */
export interface CutOff {
  id: string
  lost_since: number
}

/** Adds or renews the entry of a process. Old entries of ended processes are deleted. */
export async function saveCutOff(database: Database, { id, lost_since }: CutOff): Promise<void> {
  await database.execute(sql`
    with gone as (
      delete from cut_off_processes where id <> ${id} and seen_at < now() - interval '1 day')
    insert into cut_off_processes (id, lost_since) values (${id}, ${lost_since})
    on conflict (id) do update set lost_since = excluded.lost_since, seen_at = now()`)
}

export async function deleteCutOff(database: Database, id: string): Promise<void> {
  await database.execute(sql`delete from cut_off_processes where id = ${id}`)
}

/** Lists all entries except the one of the calling process. */
export async function listCutOff(database: Queryable, exceptId: string): Promise<CutOff[]> {
  return database.query<CutOff>(sql`
    select id, lost_since from cut_off_processes
    where id <> ${exceptId} and seen_at > now() - ${MAX_QUIET_MS} * interval '1 ms'`)
}
