import type { Program } from '#src/kernel/media/child-process.ts'
import { type PoolOptions, ProcessPool } from '#src/kernel/media/process-pool.ts'
import { isPageFinding, type PageFinding, type PageJob } from './page-jobs.ts'

const PROGRAM: Program<PageFinding> = {
  url: new URL('./page-child.ts', import.meta.url),
  isResult: isPageFinding,
}
const OPTIONS: Partial<PoolOptions> = {
  // Parsing takes milliseconds. The limit is for hostile pages on a busy machine.
  deadlineMs: 5000,
  jobsOfOne: 1000,
  maxRssBytes: 256 * 1024 ** 2,
}
const NOTHING: PageFinding = { embed: null, oembed: null, isWhole: true }

/** Parses other hosts' pages in child processes that may crash. */
export class Pages {
  readonly #pool: ProcessPool<PageJob, PageFinding>

  constructor(options: Partial<PoolOptions> = {}) {
    this.#pool = new ProcessPool(PROGRAM, { ...OPTIONS, ...options })
  }

  /**
   * Returns a page's metadata, empty if the page crashes its process. Hosts take turns.
   * @throws ApiError 503 if too many pages wait; the signal's reason
   */
  async read(job: PageJob, signal: AbortSignal): Promise<PageFinding> {
    const { hostname } = new URL(job.url)
    const outcome = await untilAborted(this.#pool.run(job, hostname), signal)
    if (outcome.kind === 'failed') throw new Error(`a page could not be read: ${outcome.message}`)
    return outcome.kind === 'done' ? outcome.result : NOTHING
  }

  /**
   * Starts a process unless one is idle.
   * @throws the signal's reason
   */
  warm(signal: AbortSignal): Promise<void> {
    return untilAborted(this.#pool.warm(), signal)
  }

  /** Ends the processes. */
  close(): void {
    this.#pool.close()
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
