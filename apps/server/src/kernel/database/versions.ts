import type pg from 'pg'

/** A version of Foyer, with the commit if it was started from a git checkout. */
export interface Version {
  version: string
  commit: string | null
}

/** Records that this version has started on the database. */
export async function noteVersion(pool: pg.Pool, { version, commit }: Version): Promise<void> {
  await pool.query(
    `insert into versions (version, commit) values ($1, $2)
    on conflict (version, commit) do update set started_at = now()`,
    [version, commit ?? ''],
  )
}

/** Returns the version that started last; undefined if it did not record itself. */
export async function findVersion(client: pg.Client): Promise<Version | undefined> {
  if (!(await hasVersions(client))) return undefined
  const { rows } = await client.query<Version>(
    `select version, nullif(commit, '') as commit from versions order by started_at desc, version, commit limit 1`,
  )
  return rows[0]
}

/** Lists the versions that have started since a point in time, with the time of each version's last start. */
export async function listStarts(client: pg.Client, since: Date): Promise<(Version & { startedAt: Date })[]> {
  if (!(await hasVersions(client))) return []
  const { rows } = await client.query<Version & { startedAt: Date }>(
    `select version, nullif(commit, '') as commit, started_at as "startedAt" from versions
    where started_at > $1 order by started_at, version, commit`,
    [since],
  )
  return rows
}

async function hasVersions(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select where to_regclass('versions') is not null`)
  return rows.length > 0
}
