import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type Guarded, spawnGuarded } from './guarded.ts'
import { nameForAccount } from './initdb.ts'
import type { Log } from './log.ts'
import { readStatus } from './occupant.ts'
import { settingsArguments } from './settings.ts'
import { SOCKET_PORT } from './socket.ts'

/** Everything that a postmaster needs to start and restart. */
export interface Cluster {
  folder: string
  socketFolder: string
  binaries: Binaries
  account: Account
  bound: boolean
  /** The lock on DATA_DIR, held while any process of the cluster runs. */
  inherited: number
  settings: Record<string, string>
  log: Log
}

const POLL_MS = 10
/** A fast shutdown (SIGINT) that takes longer than this becomes an immediate one, which the next start recovers from. */
const MAX_FAST_SHUTDOWN_MS = 5000

/** One run of the database's main process. */
export class Postmaster {
  readonly pid: number | undefined
  readonly exited: Promise<number | null>
  readonly #process: Guarded
  readonly #folder: string

  constructor(cluster: Cluster, onLine: (line: string) => void) {
    this.#folder = cluster.folder
    this.#process = spawnGuarded(commandOf(cluster), {
      cwd: cluster.folder,
      account: cluster.account,
      bound: cluster.bound,
      inherited: cluster.inherited,
      onLine,
    })
    this.pid = this.#process.child.pid
    this.exited = this.#process.exited
  }

  /** Returns false if PostgreSQL ended before it was ready. There is no time limit, because a recovery may be long. */
  async becomesReady(): Promise<boolean> {
    const { child } = this.#process
    while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      if ((await readStatus(this.#folder, child.pid)) === 'ready') return true
      await sleep(POLL_MS)
    }
    return false
  }

  lastLines(): string {
    return this.#process.lastLines()
  }

  async stop(): Promise<void> {
    const { child } = this.#process
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGQUIT'), MAX_FAST_SHUTDOWN_MS)
    await this.exited
    clearTimeout(timer)
  }
}

function commandOf({ binaries, folder, socketFolder, settings }: Cluster): string[] {
  const place = { unix_socket_directories: socketFolder, port: String(SOCKET_PORT) }
  return [binaries.postgres, '-D', nameForAccount(folder), ...settingsArguments({ ...settings, ...place })]
}
