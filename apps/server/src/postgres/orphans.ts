import { type ClusterProcess, findOrphans, listClusterProcesses } from './cluster-processes.ts'
import type { Log } from './log.ts'

/**
 * Ends a database that outlived its Foyer and does not end by itself. PostgreSQL can hang for good in a shutdown that
 * reaches it while it recovers from the crash of one of its processes.
 */
export class OrphanEnder {
  readonly #folder: string
  readonly #log: Log
  readonly #quitAt: number
  readonly #killAt: number
  #stage: 'waiting' | 'asked to quit' | 'killed' = 'waiting'

  /** @param waitMs the total wait. An orphan is asked to quit after a third of this time, and killed after half of it */
  constructor({ folder, waitMs, log }: { folder: string; waitMs: number; log: Log }) {
    this.#folder = folder
    this.#log = log
    this.#quitAt = performance.now() + waitMs / 3
    this.#killAt = performance.now() + waitMs / 2
  }

  /** Must be called repeatedly while the folder is not free. */
  async endIfStuck(): Promise<void> {
    const now = performance.now()
    if (now < this.#quitAt) return
    if (this.#stage === 'waiting') await this.#quit()
    else if (this.#stage === 'asked to quit' && now > this.#killAt) await this.#kill()
  }

  /** Requests an immediate shutdown, which the next start recovers from. */
  async #quit(): Promise<void> {
    const orphans = await findOrphans(await listClusterProcesses(this.#folder))
    if (orphans.length === 0) return
    this.#stage = 'asked to quit'
    this.#signal(orphans, 'SIGQUIT')
  }

  async #kill(): Promise<void> {
    const processes = await listClusterProcesses(this.#folder)
    const orphans = await findOrphans(processes)
    if (orphans.length === 0) return
    this.#stage = 'killed'
    this.#signal(processes, 'SIGKILL')
  }

  #signal(processes: readonly ClusterProcess[], signal: 'SIGQUIT' | 'SIGKILL'): void {
    const pids = processes.map(({ pid }) => pid)
    this.#log(`PostgreSQL still runs after its Foyer ended: sending ${signal} to ${pids.join(', ')}`, 'warn')
    for (const pid of pids) send(pid, signal)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or belongs to another user.
  }
}
