import type pg from 'pg'
import { fragment } from '../sql/sql.ts'

/** Suffixes of databases that are kept beside the server's own, for a rollback. At most one of them is current. */
export const KEPT = {
  /** The database from before the latest update. */
  before: '_before_update',
  /** The database of the newer version, after a rollback. */
  after: '_rolled_back',
} as const

/**
 * Suffix of an update's working copy, which later gets the name of the original. A killed update leaves a copy without
 * our comment, and every database of this name counts as such a leftover: operators must not use the suffix.
 */
export const COPY = '_foyer_update_copy'

/** Suffix for the name of a replaced kept database, until it is dropped. */
export const OUTDATED = '_outdated'

/** Longest name in PostgreSQL, which cuts longer ones silently: a name could become the name of another database. */
const MAX_NAME_BYTES = 63
/** Longest name, in bytes, of a database that can have copies beside it. */
export const LONGEST_NAME = MAX_NAME_BYTES - Buffer.byteLength(KEPT.before + OUTDATED)

/** The database from before an update, as recorded in its comment (see updates/records.ts). */
export interface Snapshot {
  version: string | null
  madeAt: string
}

/** Returns the snapshot of the connection's database from before an update. */
export async function findSnapshot(client: pg.Client): Promise<Snapshot | undefined> {
  const { rows } = await client.query<Snapshot>(
    `select substring(comment from '"version":"([^"]+)"') as version,
      substring(comment from '"made_at":"([-0-9T:.]+Z)"') as "madeAt"
    from (
      select shobj_description(oid, 'pg_database') as comment from pg_database
      where datname::text = current_database()::text || $1::text
    ) as kept
    where comment like '%"foyer":"kept"%' and comment ~ '"made_at":"[-0-9T:.]+Z"'`,
    [KEPT.before],
  )
  return rows[0]
}

/**
 * Files created after this time appear in no kept database; `-infinity` if there is none. Objects of older files must
 * stay, because a rollback shows them again. The time is in the comment on the kept database (see updates/records.ts). A
 * database without such a comment is not ours.
 */
export const endOfHeldFiles = fragment`coalesce((
  select max(coalesce(
    substring(shobj_description(oid, 'pg_database') from '"made_at":"([-0-9T:.]+Z)"')::timestamptz, 'infinity'))
  from pg_database
  where datname::text in (current_database() || '_before_update', current_database() || '_rolled_back')
    and shobj_description(oid, 'pg_database') like '%"foyer":"kept"%'), '-infinity')`
