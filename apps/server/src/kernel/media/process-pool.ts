import { ApiError } from '../errors.ts'
import { JobProcess, type Outcome, type Program, type RemoteFile, type Unstarted } from './child-process.ts'
import { confine, type Start } from './confinement.ts'
import { FairQueue } from './fair-queue.ts'

export interface PoolOptions {
  /** Processes at a time. */
  processes: number
  /** Jobs that may wait for a process. */
  waiting: number
  deadlineMs: number
  /** Jobs after which a process is replaced, because libraries leak memory. */
  jobsOfOne: number
  /** Time until an idle process ends. */
  idleMs: number
  /** Memory above which a process ends. */
  maxRssBytes: number
}

const DEFAULTS: PoolOptions = {
  processes: 2,
  waiting: 500,
  deadlineMs: 20_000,
  jobsOfOne: 100,
  idleMs: 60_000,
  // A JPEG with the maximum number of pixels takes 950 MiB, an AVIF with two thirds of them 1200 MiB.
  maxRssBytes: 1.25 * 1024 ** 3,
}

/** The process could not start, which is not the file's fault. Answered as 503, and logged. */
class UnstartedError extends Error {
  readonly code = 'PROCESS_UNSTARTED'

  constructor({ reason }: Unstarted) {
    super(`a process that looks at files ended before it could begin: ${reason}`)
  }
}

interface Idle<Job, Result> {
  process: JobProcess<Job, Result>
  timer: NodeJS.Timeout
}

/** Processes for jobs, started on demand and stopped when idle. */
export class ProcessPool<Job, Result> {
  readonly #program: Program<Result>
  readonly #options: PoolOptions
  readonly #idle: Idle<Job, Result>[] = []
  readonly #busy = new Set<JobProcess<Job, Result>>()
  readonly #waiting = new FairQueue<PromiseWithResolvers<void>>()
  #working = 0
  #start: Promise<Start> | undefined
  #warming: Promise<void> | undefined
  #isClosed = false

  /** Jobs waiting for a process. */
  get waiting(): number {
    return this.#waiting.length
  }

  constructor(program: Program<Result>, options: Partial<PoolOptions> = {}) {
    this.#program = program
    this.#options = { ...DEFAULTS, ...options }
  }

  /**
   * Runs a job; senders take turns. A job whose process crashed is tried once more, since another job may have caused
   * the crash.
   * @throws ApiError 503 if too many jobs wait, and when the pool closes; UnstartedError
   */
  async run(job: Job, sender: string, remote?: RemoteFile): Promise<Outcome<Result>> {
    await this.#enter(sender)
    const outcome = await this.#runTwice(job, remote).finally(() => this.#leave())
    if (this.#isClosed) throw new ApiError('unavailable')
    if (outcome.kind === 'unstarted') throw new UnstartedError(outcome)
    return outcome
  }

  /** Determines how the pool's processes are started, once for all jobs. */
  start(): Promise<Start> {
    this.#start ??= confine(this.#program).catch((error: unknown) => {
      // The next job tries again, because a disk may only have been full for a while.
      this.#start = undefined
      throw error
    })
    return this.#start
  }

  /**
   * Starts a process if none is idle, so that the sender of the next job need not wait for the start. If it fails, the
   * next job reports that.
   */
  async warm(): Promise<void> {
    if (this.#isClosed || this.#idle.length > 0 || this.#working >= this.#options.processes) return
    this.#warming ??= this.#addIdle()
      .catch(() => undefined)
      .finally(() => {
        this.#warming = undefined
      })
    await this.#warming
  }

  close(): void {
    this.#isClosed = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      next.reject(new ApiError('unavailable'))
    for (const idle of this.#idle.splice(0)) retire(idle)
    for (const process of this.#busy) process.kill()
  }

  async #enter(sender: string): Promise<void> {
    const { processes, waiting } = this.#options
    if (this.#isClosed || this.#waiting.length >= waiting) throw new ApiError('unavailable')
    if (this.#working < processes) {
      this.#working += 1
      return
    }
    const turn = Promise.withResolvers<void>()
    this.#waiting.push(sender, turn)
    await turn.promise
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#working -= 1
    else next.resolve()
  }

  async #runTwice(job: Job, remote: RemoteFile | undefined): Promise<Outcome<Result> | Unstarted> {
    const outcome = await this.#runOnce(job, remote)
    const isLost = outcome.kind === 'unstarted' || (outcome.kind === 'lost' && outcome.because === 'crash')
    return isLost && !this.#isClosed ? this.#runOnce(job, remote) : outcome
  }

  async #runOnce(job: Job, remote: RemoteFile | undefined): Promise<Outcome<Result> | Unstarted> {
    const process = this.#takeIdle() ?? (await this.#open())
    this.#busy.add(process)
    try {
      return await process.run(job, remote, this.#options.deadlineMs)
    } finally {
      this.#busy.delete(process)
      this.#putBack(process)
    }
  }

  async #open(): Promise<JobProcess<Job, Result>> {
    const start = await this.start()
    if (this.#isClosed) throw new ApiError('unavailable')
    return new JobProcess<Job, Result>(this.#program, start, this.#options.maxRssBytes)
  }

  async #addIdle(): Promise<void> {
    const process = await this.#open()
    this.#busy.add(process)
    const isReady = await process.start().finally(() => this.#busy.delete(process))
    if (isReady) this.#putBack(process)
    else process.kill()
  }

  #takeIdle(): JobProcess<Job, Result> | undefined {
    const idle = this.#idle.pop()
    if (idle === undefined) return undefined
    clearTimeout(idle.timer)
    return idle.process.isAlive ? idle.process : this.#takeIdle()
  }

  #putBack(process: JobProcess<Job, Result>): void {
    const { jobsOfOne, idleMs } = this.#options
    if (!process.isAlive || process.jobs >= jobsOfOne || this.#isClosed) return process.kill()
    const idle: Idle<Job, Result> = { process, timer: setTimeout(() => this.#retire(idle), idleMs).unref() }
    this.#idle.push(idle)
  }

  #retire(idle: Idle<Job, Result>): void {
    this.#idle.splice(this.#idle.indexOf(idle), 1)
    retire(idle)
  }
}

function retire<Job, Result>({ process, timer }: Idle<Job, Result>): void {
  clearTimeout(timer)
  process.kill()
}
