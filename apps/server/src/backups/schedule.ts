import type { Config } from '#src/config.ts'
import { listSnapshots, snapshotTime } from './manifest.ts'
import { openRepository } from './open-vault.ts'

const HOUR_MS = 60 * 60 * 1000
/** A backup that takes a while must not move the next one by that much. */
const EARLY_MS = 10 * 60 * 1000

/**
 * Returns the time of the newest backup at BACKUP_TO, without the passphrase; undefined if there is none.
 * @throws BackupError if the folder or bucket cannot be read
 */
export async function newestBackup(config: Config): Promise<Date | undefined> {
  const repository = openRepository(config)
  try {
    const name = (await listSnapshots(repository)).at(-1)
    return name === undefined ? undefined : snapshotTime(name)
  } finally {
    await repository.close()
  }
}

export function isDue({ backup }: Config, newest: Date | undefined, now: number): boolean {
  return newest === undefined || newest.getTime() + backup.everyHours * HOUR_MS - EARLY_MS <= now
}

/** Returns whether the newest backup is older than two intervals: at least one has failed. */
export function isOverdue({ backup }: Config, newest: Date | undefined, now: number): boolean {
  return newest === undefined || newest.getTime() + 2 * backup.everyHours * HOUR_MS < now
}
