import type { Bus } from '#src/kernel/bus.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { type SweepDeps, sweepFiles } from './sweeper.ts'

const NAME = 'sweep_files'

/** Sweeps every minute, and as soon as this process has deleted a file. */
export function fileJobs(deps: SweepDeps & { bus: Bus }): JobTable {
  const sweeper = new Sweeper(deps)
  deps.bus.listenLocally((events) => {
    if (events.some(({ name }) => name === 'STORAGE_CHANGE')) sweeper.ask()
  })
  return {
    handlers: { [NAME]: (_payload, { abortSignal } = {}) => sweeper.run(abortSignal) },
    schedule: [`* * * * * ${NAME} ?jobKey=${NAME}`],
  }
}

/** One run at a time: a bucket that hangs keeps one worker busy, and not all of them. */
class Sweeper {
  readonly #deps: SweepDeps
  #isRunning = false
  #isAsked = false
  #isMore = false

  constructor(deps: SweepDeps) {
    this.#deps = deps
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
      if (isMore || this.#isMore) this.ask()
    } finally {
      this.#isRunning = false
    }
  }

  /** Behind the transaction that changed something, and by a job of its own: should that fail, the next minute's does it. */
  ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    const { database, log } = this.#deps
    database
      .transaction((transaction) => enqueueJob(transaction, NAME, {}, NAME))
      .catch((error: Error) => log.warn({ err: error }, 'a sweep of files could not be asked for'))
      .finally(() => {
        this.#isAsked = false
      })
  }
}
