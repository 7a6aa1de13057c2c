import type { Config } from '#src/config.ts'
import { isAhead, listSnapshots, snapshotTime } from './manifest.ts'
import { openRepository } from './open-vault.ts'

const HOUR_MS = 60 * 60 * 1000
/** A backup is due this long before its interval ends. Otherwise each would begin one scheduled run later than the last. */
const EARLY_MS = 10 * 60 * 1000
const SHORTEST_PAUSE_MS = 10 * 60 * 1000
const LONGEST_PAUSE_MS = 6 * HOUR_MS

/**
 * Returns the time of the newest backup at BACKUP_TO, without the passphrase; undefined if there is none. Backups
 * dated in the future are ignored, because they would delay the next one.
 * @throws BackupError if the folder or bucket cannot be read
 */
export async function newestBackup(config: Config): Promise<Date | undefined> {
  const repository = openRepository(config)
  try {
    const name = (await listSnapshots(repository)).findLast((one) => !isAhead(one))
    return name === undefined ? undefined : snapshotTime(name)
  } finally {
    await repository.close()
  }
}

export function isDue({ backup }: Config, newest: Date | undefined, now: number): boolean {
  return newest === undefined || newest.getTime() + backup.everyHours * HOUR_MS - EARLY_MS <= now
}

/**
 * Returns the pause in ms after a number of consecutive failures. Each failed backup may copy much before it fails, so the
 * pauses become longer, but not longer than the interval.
 */
export function pauseAfter({ backup }: Config, failures: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, backup.everyHours * HOUR_MS)
  // Slightly shorter, so that the scheduled run at the end of the pause is not skipped.
  return Math.min(SHORTEST_PAUSE_MS * 2 ** (failures - 1), longest) - EARLY_MS / 2
}

/** Returns whether the newest backup is older than two intervals: at least one has failed. */
export function isOverdue({ backup }: Config, newest: Date | undefined, now: number): boolean {
  return newest === undefined || newest.getTime() + 2 * backup.everyHours * HOUR_MS < now
}
