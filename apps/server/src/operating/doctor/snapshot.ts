import pg from 'pg'
import type { Config } from '#src/config.ts'
import { describeSize, describeVersion, endOf, type Kept, listKept } from '#src/operating/updates/records.ts'
import { examine, type Finding } from './finding.ts'
import { connectionOf } from './installation.ts'

const TIMEOUT_MS = 5000

/** Looks for the database that the latest update or rollback has kept. */
export function examineSnapshot(config: Config, isRunning: boolean): Promise<Finding> {
  const { databaseUrl, directDatabaseUrl, dataDir, updateSnapshotDays } = config
  return examine('update snapshot', 'check that the user of the database may connect to it', async () => {
    const url = directDatabaseUrl ?? databaseUrl
    if (url === undefined && !isRunning)
      return { verdict: 'note', says: 'it can be looked for while the server runs' }
    const kept = await findNewest(await connectionOf(url, dataDir))
    if (kept !== undefined) return wordsFor(kept, updateSnapshotDays)
    if (updateSnapshotDays > 0) return 'there is none: an update keeps the database from before it'
    return {
      verdict: 'note',
      says: 'UPDATE_SNAPSHOT_DAYS is 0: after an update, npm run rollback cannot go back',
      remedy: 'make a backup before each update',
    }
  })
}

async function findNewest(connection: pg.ClientConfig): Promise<Kept | undefined> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    return (await listKept(client, rows[0]?.name ?? ''))[0]
  } finally {
    await client.end()
  }
}

function wordsFor(kept: Kept, days: number): string {
  const { kind, version, madeAt, sizeBytes } = kept
  const how = kind === 'before' ? 'npm run rollback goes' : 'npm run rollback -- --undo goes'
  return (
    `${how} back to ${describeVersion(version)} and its data of ${madeAt.toISOString()}, until ` +
    `${endOf(kept, days).toISOString()}; it takes up to ${describeSize(sizeBytes)}`
  )
}
