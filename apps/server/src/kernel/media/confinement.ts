import { execFile } from 'node:child_process'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** User and group of children where the server is root: not nobody's, not PostgreSQL's and not that of voice (65533). */
export const CONFINED_ID = 65532
/** Of util-linux, and of BusyBox. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv']
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const MAX_HEAP_MIB = 256

export interface Confined {
  /** The one folder whose files the children read and write, by relative paths: they can reach it in no other way. */
  folder?: string
  /** Whether native code is loaded. */
  hasAddons?: boolean
}

/** How to start a child, ready to be spread into fork's options. */
export interface Start {
  cwd: string
  execPath: string
  execArgv: string[]
  /** Undefined for the user of the server. */
  userId: number | undefined
}

/** Prepares the folder, and finds out how children are started with as few rights as this machine can take from them. */
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

/** @returns undefined where files cannot be given to another user either: roots of some containers and of shared folders */
async function openFolder(folder: string): Promise<number | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (rootsOther() === undefined) return undefined
  try {
    await chown(folder, 0, CONFINED_ID)
    // To be passed through, and not to be listed or written: a child could put a link in the place of its result.
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

/** No network, no processes, no files but the code and the folder. */
function nodeFlags({ folder, hasAddons = false }: Confined): string[] {
  const readable = ['apps', 'packages', 'node_modules'].map((name) => ROOT + name)
  return [
    `--max-old-space-size=${MAX_HEAP_MIB}`,
    '--permission',
    // The watchdog.
    '--allow-worker',
    ...(hasAddons ? ['--allow-addons'] : []),
    ...[...readable, ...(folder === undefined ? [] : [folder])].map((path) => `--allow-fs-read=${path}`),
    ...(folder === undefined ? [] : [`--allow-fs-write=${folder}`]),
  ]
}
