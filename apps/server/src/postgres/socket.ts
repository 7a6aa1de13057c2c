import { chown, mkdtemp, readdir, readlink, realpath, rm, rmdir, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { processNamespace } from '#src/kernel/process-namespace.ts'
import { type Account, canEnter } from './account.ts'
import { isAlive } from './occupant.ts'

export const SOCKET_PORT = 5432

const PREFIX = 'foyer-pg-'
/** Prefix used by older versions, which remove every empty folder that starts with it. */
const OLD_PREFIX = 'foyer-postgres-'
/** Includes the PID namespace: containers may share the parent folder, and process ids are unique within one namespace only. */
const OWN_PREFIX = `${PREFIX}${processNamespace}-`
/** Age after which an empty folder from another namespace cannot belong to a server that is still starting. */
const FOREIGN_AGE_MS = 24 * 60 * 60 * 1000
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`
/** Longest socket path. The limits are 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const MAX_PATH_BYTES = 103

/**
 * Creates a folder with mode 0700, owned by the account. The cluster trusts every client that reaches its socket, so
 * these permissions are the only protection.
 */
export async function makeSocketFolder(account: Account): Promise<string> {
  const parent = await chooseParent(account)
  await removeEmptyLeftovers(parent)
  const folder = await mkdtemp(join(parent, `${OWN_PREFIX}${process.pid}-`))
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid)
  return folder
}

export async function removeSocketFolder(folder: string): Promise<void> {
  await rm(join(folder, SOCKET_NAME), { force: true })
  await rm(join(folder, `${SOCKET_NAME}.lock`), { force: true })
  await rmdir(folder).catch(() => undefined)
}

/**
 * Writes a link in DATA_DIR. The next run finds a killed run's socket by this link, and operators can connect with it (psql
 * -h). Only for the process with a postmaster in DATA_DIR, so that the link has no other owner.
 */
export async function recordSocketFolder(link: string, folder: string): Promise<void> {
  await removeRecordedFolder(link)
  await symlink(folder, link)
}

export async function removeRecordedFolder(link: string): Promise<void> {
  const folder = await readlink(link).catch(() => undefined)
  if (folder !== undefined && isOurs(basename(folder))) await removeSocketFolder(folder)
  await rm(link, { force: true })
}

/** Removes the socket's folder and its link. The link stays if another run has taken over DATA_DIR. */
export async function forgetSocketFolder(link: string, folder: string): Promise<void> {
  await removeSocketFolder(folder)
  const recorded = await readlink(link).catch(() => undefined)
  if (recorded === folder) await rm(link, { force: true })
}

/**
 * Removes folders of runs that were killed before they could record theirs. A folder that is not empty cannot be
 * removed this way.
 */
async function removeEmptyLeftovers(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter(isOurs)
  await Promise.all(names.map((name) => removeIfDead(parent, name).catch(() => undefined)))
}

function isOurs(name: string): boolean {
  return name.startsWith(PREFIX) || name.startsWith(OLD_PREFIX)
}

async function removeIfDead(parent: string, name: string): Promise<void> {
  const folder = join(parent, name)
  const isDead = name.startsWith(OWN_PREFIX)
    ? !isAlive(Number.parseInt(name.slice(OWN_PREFIX.length), 10))
    : Date.now() - (await stat(folder)).mtimeMs > FOREIGN_AGE_MS
  if (isDead) await rmdir(folder)
}

async function chooseParent(account: Account): Promise<string> {
  const room = MAX_PATH_BYTES - join('/', `${OWN_PREFIX}1234567-XXXXXX`, SOCKET_NAME).length
  for (const candidate of [tmpdir(), '/tmp', '/var/tmp']) {
    const folder = await realpath(candidate).catch(() => undefined)
    const short = folder !== undefined && Buffer.byteLength(folder) <= room
    if (short && (await canEnter(account, folder))) return folder
  }
  throw new Error(`There is no folder for PostgreSQL's socket: neither ${tmpdir()} nor /tmp can be used`)
}
