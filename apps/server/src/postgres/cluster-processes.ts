import { readdir, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** A running PostgreSQL process. The data folder is its working directory, as for all processes of its cluster. */
export interface ClusterProcess {
  pid: number
  parent: number
}

/** Lists the processes of the folder's cluster that are visible in this process's namespace. Works on Linux only. */
export async function listClusterProcesses(folder: string): Promise<ClusterProcess[]> {
  const home = await stat(folder).catch(() => undefined)
  const names = await readdir('/proc').catch(() => [])
  if (home === undefined) return []
  const processes = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const place = await stat(`/proc/${name}/cwd`).catch(() => undefined)
      return place?.ino === home.ino && place.dev === home.dev ? readProcess(Number(name)) : undefined
    })
  return (await Promise.all(processes)).filter((found) => found !== undefined)
}

/** The root processes of a cluster that no Foyer watches any more: its main process, or the children that it left. */
export async function findOrphans(processes: readonly ClusterProcess[]): Promise<ClusterProcess[]> {
  const pids = new Set(processes.map(({ pid }) => pid))
  const heads = processes.filter(({ parent }) => !pids.has(parent))
  const kept = await Promise.all(heads.map(({ parent }) => mayBeFoyer(parent)))
  return kept.includes(true) ? [] : heads
}

/**
 * Returns whether a parent may be a Foyer. An orphan's parent is init: not Node or, in a container, this process itself as
 * pid 1.
 */
async function mayBeFoyer(pid: number): Promise<boolean> {
  if (pid === process.pid) return pid !== 1
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return basename(command.split('\0')[0] ?? '').startsWith('node')
}

/** Reads name, state and parent from /proc/pid/stat: `12 (postgres) S 1 …`. */
async function readProcess(pid: number): Promise<ClusterProcess | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, parent] = /^\d+ \(postgres\) [^ZX] (\d+) /.exec(line) ?? []
  return parent === undefined ? undefined : { pid, parent: Number(parent) }
}
