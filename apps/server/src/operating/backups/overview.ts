import { type BackupEntry, type BackupOverview, MAX_BACKUPS } from '@foyer/protocol/operator-backups'
import type { Config } from '#src/config.ts'
import { withoutCredentials } from '#src/kernel/described-settings.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { BackupListing, Listing } from './listing.ts'
import { isAhead, snapshotTime } from './manifest.ts'
import { findRunState, listRuns, type RunRow } from './runs.ts'
import { isOverdue } from './schedule.ts'

const UNSEEN = 'this process does not see the backups: is their place mounted here?'

interface OverviewDeps {
  config: Config
  database: Queryable
  listing: BackupListing
}

/** Lists the backups in BACKUP_TO, with the details that this server has stored. */
export async function readBackups({ config, database, listing }: OverviewDeps): Promise<BackupOverview> {
  const { to, everyHours, keep } = config.backup
  const [run, runs] = await Promise.all([findRunState(database), listRuns(database)])
  const { snapshots, trouble } = seen(await listing.read(run.state !== 'idle'), runs)
  const [latest] = runs.filter(({ state }) => state !== 'running')
  const made = runs.find(({ state }) => state === 'made')?.snapshot ?? undefined
  const newest = trouble === null ? snapshots.findLast((name) => !isAhead(name)) : made
  const newestAt = newest === undefined ? undefined : snapshotTime(newest)
  const isKnown = trouble === null || made !== undefined
  const hasFailed = latest?.state === 'failed'
  return {
    schedule: to === undefined ? null : { location: withoutCredentials(to), every_hours: everyHours, keep },
    run,
    is_overdue: to !== undefined && isKnown && isOverdue(config, newestAt, Date.now()),
    trouble,
    backups: entriesOf(runs, snapshots, trouble === null),
    last_failure: hasFailed ? { at: latest.begun_at, failure: latest.failure ?? '' } : null,
  }
}

/** Reports an empty listing as trouble if backups were made: their folder may not be mounted on this machine. */
function seen({ snapshots, trouble }: Listing, runs: readonly RunRow[]): Listing {
  const isUnseen = trouble === null && snapshots.length === 0 && runs.some(({ state }) => state === 'made')
  return { snapshots, trouble: isUnseen ? UNSEEN : trouble }
}

/** Lists backups, newest first. Backups that no longer exist are left out, unless the location could not be listed. */
function entriesOf(runs: readonly RunRow[], snapshots: readonly string[], isListed: boolean): BackupEntry[] {
  const noted = new Set(runs.map(({ snapshot }) => snapshot))
  const there = new Set(snapshots)
  const own = runs
    .filter(({ snapshot }) => snapshot === null || !isListed || there.has(snapshot))
    .map(({ is_scheduled, begun_at, snapshot: _name, ...rest }) => ({
      ...rest,
      at: begun_at,
      kind: is_scheduled ? ('scheduled' as const) : ('asked' as const),
    }))
  const others = snapshots.filter((name) => !noted.has(name)).map(entryOfOther)
  return [...own, ...others].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MAX_BACKUPS)
}

function entryOfOther(name: string): BackupEntry {
  const at = snapshotTime(name)?.toISOString() ?? ''
  return { at, state: 'made', kind: 'elsewhere', files: null, file_bytes: null, rows: null, failure: null }
}
