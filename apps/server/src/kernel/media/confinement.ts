import { execFile } from 'node:child_process'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** User and group of children if the server is root. PostgreSQL, voice (65533) and `nobody` have other ids. */
export const CONFINED_ID = 65532
/** Paths in util-linux and BusyBox. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const MAX_HEAP_MIB = 256

export interface Confined {
  /** The only folder whose files the children read and write, by relative paths. */
  folder?: string
  /** True if native code is loaded. */
  hasAddons?: boolean
}

/** Start options of a child, ready to be spread into fork's options. */
export interface Start {
  cwd: string
  execPath: string
  execArgv: string[]
  /** Undefined for the user of the server. */
  userId: number | undefined
}

/** Prepares the folder, and determines how to start children with the fewest rights that this machine allows. */
export async function confine(confined: Confined): Promise<Start> {
  const { folder } = confined
  const userId = folder === undefined ? rootsOther() : await openFolder(folder)
  const setpriv = await findSetpriv()
  const flags = nodeFlags(confined)
  const start = { cwd: folder ?? '/', userId }
  if (setpriv === undefined) return { ...start, execPath: process.execPath, execArgv: flags }
  return { ...start, execPath: setpriv, execArgv: ['--nnp', '--', process.execPath, ...flags] }
}

function rootsOther(): number | undefined {
  return process.getuid?.() === 0 ? CONFINED_ID : undefined
}

/**
 * @returns the user of the children; undefined to keep the server's, because it is not root or cannot give files to
 * another user, as in some containers and on shared folders
 */
async function openFolder(folder: string): Promise<number | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (rootsOther() === undefined) return undefined
  try {
    await chown(folder, 0, CONFINED_ID)
    // Passable, but not listable or writable: a child could put a link in place of its result.
    await chmod(folder, 0o710)
    return CONFINED_ID
  } catch {
    return undefined
  }
}

async function findSetpriv(): Promise<string | undefined> {
  for (const path of SETPRIV) {
    const works = run(path, ['--nnp', 'true'], { env: {} }).then(
      () => true,
      () => false,
    )
    if (await works) return path
  }
  return undefined
}

/** Returns Node's permission flags: no network, no processes, and no files except the code and the folder. */
function nodeFlags({ folder, hasAddons = false }: Confined): string[] {
  const readable = ['apps', 'packages', 'node_modules'].map((name) => ROOT + name)
  return [
    `--max-old-space-size=${MAX_HEAP_MIB}`,
    '--permission',
    // Needed by the watchdog.
    '--allow-worker',
    ...(hasAddons ? ['--allow-addons'] : []),
    ...[...readable, ...(folder === undefined ? [] : [folder])].map((path) => `--allow-fs-read=${path}`),
    ...(folder === undefined ? [] : [`--allow-fs-write=${folder}`]),
  ]
}
