import type { Database } from '../database.ts'
import { type Queryable, sql } from '../sql.ts'

/** Who has not said so again for this long has Valkey back, or has ended. */
const MAX_QUIET_MS = 5000

/** A process that is heard by nobody, and since when: milliseconds since 1970. */
export interface CutOff {
  id: string
  lost_since: number
}

/** Says that it is still so. What others left who ended like that goes, so that the table stays small. */
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

/** All but the one that asks. */
export async function listCutOff(database: Queryable, exceptId: string): Promise<CutOff[]> {
  return database.query<CutOff>(sql`
    select id, lost_since from cut_off_processes
    where id <> ${exceptId} and seen_at > now() - ${MAX_QUIET_MS} * interval '1 ms'`)
}
