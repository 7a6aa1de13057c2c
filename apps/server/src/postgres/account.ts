import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user id PostgreSQL gets when we are root, which it refuses to run as: nobody. */
const NOBODY = 65534

/** Who PostgreSQL runs as, ready to be spread into spawn's options. Empty: as ourselves. */
export interface Account {
  uid?: number
  gid?: number
}

/** The owner of the data folder; for root and a new folder: nobody. */
export async function chooseAccount(folder: string): Promise<Account> {
  const owner = await stat(folder).catch(() => undefined)
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid) {
      throw new Error(
        `${folder} belongs to user ${owner.uid}, and Foyer runs as user ${uid}: ` +
          'run it as that user or as root, or chown -R the folder',
      )
    }
    return {}
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  // A folder of root's own is a backup that was copied back.
  if (owner !== undefined) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
  return { uid: NOBODY, gid: NOBODY }
}

/** Asks the kernel, not the mode bits: access lists and read-only mounts count too. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return run('test', ['-x', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
