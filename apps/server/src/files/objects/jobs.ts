import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { type SweepDeps, sweepFiles } from './sweeper.ts'

const NAME = 'sweep_files'

/** Sweeps every minute, and on request. */
export function fileJobs(deps: SweepDeps): JobTable {
  const sweeper = new Sweeper(deps)
  return {
    handlers: { [NAME]: (_payload, { abortSignal } = {}) => sweeper.run(abortSignal) },
    schedule: [`* * * * * ${NAME} ?jobKey=${NAME}`],
  }
}

/** Runs one sweep at a time: a bucket that hangs blocks only one worker. */
class Sweeper {
  readonly #deps: SweepDeps
  readonly #request: SweepRequests
  #isRunning = false
  #isMore = false

  constructor(deps: SweepDeps) {
    this.#deps = deps
    this.#request = new SweepRequests(deps)
  }

  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (this.#isRunning) {
      this.#isMore = true
      return
    }
    this.#isRunning = true
    this.#isMore = false
    try {
      const isMore = await sweepFiles(this.#deps, signal)
      if (isMore || this.#isMore) this.#request.send()
    } finally {
      this.#isRunning = false
    }
  }
}

type RequestDeps = Pick<SweepDeps, 'database' | 'log'>

/** Requests a sweep as soon as this process has deleted a file. Any process may run it. */
export class SweepRequests {
  readonly #deps: RequestDeps
  #isSent = false

  constructor(deps: RequestDeps) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    if (events.some(({ name }) => name === 'STORAGE_CHANGE')) this.send()
  }

  /** Call it after the transaction that deleted the files. If it fails, the sweep that runs every minute deletes the objects. */
  send(): void {
    if (this.#isSent) return
    this.#isSent = true
    const { database, log } = this.#deps
    database
      .transaction((transaction) => enqueueJob(transaction, NAME, {}, NAME))
      .catch((error: Error) => log.warn({ err: error }, 'a sweep of files could not be requested'))
      .finally(() => {
        this.#isSent = false
      })
  }
}
