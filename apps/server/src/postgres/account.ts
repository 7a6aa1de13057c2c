import { execFile } from 'node:child_process'
import { chown, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The user id of PostgreSQL where Foyer is root, as whom it refuses to run. The database trusts whoever reaches its
 * socket, and who has its id can read its memory: no other program may have it.
 */
const OWN_ID = 65_531
/** What it had in earlier versions, and many a daemon has. */
const NOBODY = 65_534

/** Who PostgreSQL runs as, ready to be spread into spawn's options. Empty: as ourselves. */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * The owner of the data folder; for root and a new folder, an id that no other program has. Only for the owner of
 * DATA_DIR: a folder of root's, as a backup that was copied back, and of nobody's changes hands.
 */
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
  if (owner === undefined) return OWN
  const stays = owner.uid !== 0 && (owner.uid !== NOBODY || (await reachesOut(folder)))
  if (stays) return { uid: owner.uid, gid: owner.gid }
  await giveTo(OWN, folder)
  return OWN
}

/** Who makes a database where no name can be lent to the account: initdb wants one. It is given to the account then. */
export const NAMED_MAKER = { uid: NOBODY, gid: NOBODY }

const OWN = { uid: OWN_ID, gid: OWN_ID }

/** The folder itself comes last: by its owner an interrupted run is told from a whole one. No link is followed. */
export async function giveTo({ uid, gid }: Required<Account>, folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length > 0) await run('chown', ['-hR', `${uid}:${gid}`, '--', ...names], { cwd: folder })
  await chown(folder, uid, gid)
}

/** An operator moved parts of it elsewhere, which would have to change hands, too. */
async function reachesOut(folder: string): Promise<boolean> {
  const wal = await lstat(join(folder, 'pg_wal')).catch(() => undefined)
  const tablespaces = await readdir(join(folder, 'pg_tblspc')).catch(() => [])
  return wal?.isSymbolicLink() === true || tablespaces.length > 0
}

/** Asks the kernel, not the mode bits: access lists and read-only mounts count too. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return run('test', ['-x', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
