import type { Config } from '#src/config.ts'
import { isOverdue, newestBackup } from '#src/operating/backups/schedule.ts'
import { examine, type Finding } from './finding.ts'

/** Checks that the newest backup is not older than BACKUP_EVERY allows. */
export function examineBackups(config: Config): Promise<Finding> {
  const { to, everyHours } = config.backup
  return examine(
    'backups',
    'check that BACKUP_TO leads to a folder or a bucket that can be used',
    async () => {
      if (to === undefined)
        return {
          verdict: 'note',
          says: 'BACKUP_TO is not set: the server makes none by itself',
          remedy: 'set BACKUP_TO and BACKUP_PASSPHRASE, or run npm run backup regularly',
        }
      const newest = await newestBackup(config)
      const says = newest === undefined ? 'there is none yet' : `the newest is of ${newest.toISOString()}`
      if (!isOverdue(config, newest, Date.now())) return says
      return {
        verdict: 'bad',
        says: `${says}, and one is due every ${everyHours} hours`,
        remedy: 'look for “the backup failed” in the log of the server, or run npm run backup',
      }
    },
  )
}
