import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, giveTo, NAMED_MAKER } from './account.ts'
import type { Binaries } from './binaries.ts'
import { spawnGuarded } from './guarded.ts'
import { explainNameless, lendName } from './lent-name.ts'
import { settingsArguments } from './settings.ts'

export interface InitdbOptions {
  folder: string
  account: Account
  binaries: Binaries
  bound: boolean
  inherited: number
  settings: Record<string, string>
}

/** Removes whole folders. A killed process may still write for a moment, so removal is retried for 2.75 s in all. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const

/**
 * Creates the cluster unless it exists. It is made in a temporary folder and renamed, so that it is never partial. Call it
 * only with the ownership of DATA_DIR, so that a partial cluster can only be left over from a killed run.
 */
export async function ensureCluster(options: InitdbOptions): Promise<void> {
  await removeLeftovers(options.folder)
  if (await isCluster(options)) return closeToOthers(options.folder)

  const unfinished = `${options.folder}.new-${process.pid}`
  try {
    await mkdir(unfinished, { mode: 0o700 })
    await makeCluster(unfinished, options)
    await moveIntoPlace(unfinished, options)
  } finally {
    await rm(unfinished, REMOVAL)
  }
}

async function makeCluster(unfinished: string, options: InitdbOptions): Promise<void> {
  const { account } = options
  const nameLender = await lendName(account)
  if (!isOther(account)) return runInitdb(nameLender ?? [], unfinished, options)
  const maker = nameLender === undefined ? NAMED_MAKER : account
  await giveTo(maker, unfinished)
  await runInitdb(nameLender ?? [], unfinished, { ...options, account: maker })
  if (maker !== account) await giveTo(account, unfinished)
}

function isOther(account: Account): account is Required<Account> {
  return account.uid !== undefined && account.gid !== undefined
}

/**
 * Returns the folder's name for the account. The account may not be allowed to traverse the path (/root/foyer), but it
 * may work inside the folder: the kernel's link to the working directory needs no traversal. PostgreSQL itself first changes
 * into its data folder and stays there.
 */
export function nameForAccount(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

async function isCluster({ folder, binaries }: InitdbOptions): Promise<boolean> {
  const found = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (found === undefined) {
    await removeEmpty(folder)
    return false
  }
  if (found.trim() === binaries.major) return true
  const theirs = `PostgreSQL ${found.trim()}`
  throw new Error(
    `${folder} was created by ${theirs}, but this Foyer includes PostgreSQL ${binaries.major}. Dump the database ` +
      `with ${theirs} (pg_dump), move the folder away, start Foyer to create a new one, stop it, and restore the ` +
      `dump; or run ${theirs} yourself and set DATABASE_URL.`,
  )
}

/** Removes the rights of others to the folder, which a copy from a backup may have: PostgreSQL would refuse it. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  const isClosed = [0o700, 0o750].includes(mode & 0o777)
  if (!isClosed) await chmod(folder, 0o700)
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return
    throw new Error(`${folder} does not contain a PostgreSQL database (${error.code}): move it away`, {
      cause: error,
    })
  })
}

async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(dirname(folder))).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  await Promise.all(names.map((name) => rm(join(dirname(folder), name), REMOVAL)))
}

async function runInitdb(prefix: readonly string[], cwd: string, options: InitdbOptions): Promise<void> {
  const { binaries, settings } = options
  const { dynamic_shared_memory_type } = settings
  const memorySettings = dynamic_shared_memory_type === undefined ? {} : { dynamic_shared_memory_type }
  const args = [
    ...['-D', nameForAccount(cwd), '--username=foyer', '--auth=trust', '--no-instructions'],
    // The builtin locale sorts the same on every machine, so that indexes survive a move or an upgrade of libc.
    ...['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(isDurable(options) ? [] : ['--no-sync']),
    ...settingsArguments(memorySettings),
  ]
  const initdb = spawnGuarded([...prefix, binaries.initdb, ...args], { ...options, cwd })
  const code = await initdb.exited
  if (code === 0) return
  throw (
    explainNameless(initdb.lastLines()) ??
    new Error(`PostgreSQL cannot create its files in ${cwd}:\n${initdb.lastLines()}`)
  )
}

/** Only a temporary cluster skips flushing its new files. */
function isDurable({ settings }: InitdbOptions): boolean {
  return settings.fsync !== 'off'
}

async function moveIntoPlace(unfinished: string, options: InitdbOptions): Promise<void> {
  const { folder } = options
  await rename(unfinished, folder)
  if (!isDurable(options)) return
  const parent = await open(dirname(folder))
  await parent.sync().finally(() => parent.close())
}
