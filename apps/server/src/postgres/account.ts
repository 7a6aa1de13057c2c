import { execFile } from 'node:child_process'
import { chown, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * User id for PostgreSQL if Foyer runs as root, because PostgreSQL refuses to run as root. The database trusts every program
 * that reaches its socket, and its user can read its memory, so no other program may have this id.
 */
const OWN_ID = 65_531
/** The id that earlier versions used. Many daemons use it, too. */
const NOBODY = 65_534

/** The account PostgreSQL runs as, ready to be spread into spawn's options. Empty for our own. */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * Returns the account for PostgreSQL: the owner of the data folder or, if Foyer runs as root and the folder is new, an id no
 * other program has. Call it only with the ownership of DATA_DIR: a folder owned by root, such as a restored backup, or by
 * nobody, is given to the account.
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

/**
 * The account that runs initdb if the real account has no name, which initdb requires, and cannot be lent one. The
 * database is given to the real account afterwards.
 */
export const NAMED_MAKER = { uid: NOBODY, gid: NOBODY }

const OWN = { uid: OWN_ID, gid: OWN_ID }

/** Changes the owner of a folder and its content, the folder last: its old owner marks an unfinished run. Follows no link. */
export async function giveTo({ uid, gid }: Required<Account>, folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length > 0) await run('chown', ['-hR', `${uid}:${gid}`, '--', ...names], { cwd: folder })
  await chown(folder, uid, gid)
}

/** Returns true if an operator moved parts of the folder elsewhere: their owner would have to change, too. */
async function reachesOut(folder: string): Promise<boolean> {
  const wal = await lstat(join(folder, 'pg_wal')).catch(() => undefined)
  const tablespaces = await readdir(join(folder, 'pg_tblspc')).catch(() => [])
  return wal?.isSymbolicLink() === true || tablespaces.length > 0
}

/** Returns whether the account may enter a folder. Asks the kernel, because access lists matter besides mode bits. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return run('test', ['-x', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
