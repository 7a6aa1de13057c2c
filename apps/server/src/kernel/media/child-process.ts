import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import { Check } from 'typebox/value'
import { ApiError } from '../errors.ts'
import type { Confined, Start } from './confinement.ts'
import { FromChild, type ToChild } from './messages.ts'
import { TOO_LARGE_SIGNAL } from './signals.ts'

/** A file that is read in pieces. A piece includes both `start` and `end`. */
export interface RemoteFile {
  readonly sizeBytes: number
  read(start: number, end: number): Promise<Buffer>
}

/** The program of a process, and the type of its results. */
export interface Program<Result> extends Confined {
  url: URL
  isResult(value: unknown): value is Result
}

/** The result of a job. `lost`: the child ended or was killed; `contentType` is the type that it had reported, if any. */
export type Outcome<Result> =
  | { kind: 'done'; result: Result }
  | Extract<FromChild, { kind: 'refused' | 'failed' }>
  | { kind: 'lost'; because: 'deadline' | 'memory' | 'crash'; contentType: string | undefined }

/** A process that ended before it was ready. It never saw its job. */
export interface Unstarted {
  kind: 'unstarted'
  reason: string
}

/** Limits beyond the needs of an honest child: children are not trusted. */
const MAX_READ_BYTES = 32 * 1024 * 1024
const MAX_READS = 1000
/** Time to start on a busy machine. A job's deadline begins afterwards. */
const START_MS = 20_000
/**
 * Added to the server's nice value for children: on a busy machine, the server then gets nine times their share. At the
 * lowest priority, killed children would take long to end, and deadlines would pass without any work done.
 */
const NICER = 10
const NICEST = constants.priority.PRIORITY_LOW

/** A process that runs one job after the other. */
export class JobProcess<Job, Result> {
  readonly #child: ChildProcess
  readonly #program: Program<Result>
  #jobs = 0
  #isReady = false

  constructor(program: Program<Result>, { userId, ...start }: Start, maxRssBytes: number) {
    this.#program = program
    this.#child = fork(program.url, [String(maxRssBytes), String(userId ?? '')], {
      ...start,
      // Contains none of the server's secrets, and no compile cache: the server would run code that a child wrote
      // there.
      env: { VIPS_DISC_THRESHOLD: '500m', MALLOC_ARENA_MAX: '2' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    lowerPriority(this.#child.pid)
    // Without a listener, an error would end the server.
    this.#child.on('error', () => undefined)
    this.#rest()
  }

  get isAlive(): boolean {
    return (
      this.#child.pid !== undefined &&
      this.#child.connected &&
      this.#child.exitCode === null &&
      this.#child.signalCode === null
    )
  }

  /** Number of jobs that the process has run. */
  get jobs(): number {
    return this.#jobs
  }

  /** Waits until the process accepts jobs. Returns false if it ended, or takes too long. */
  async start(): Promise<boolean> {
    this.#hold()
    const signal = AbortSignal.timeout(START_MS)
    const ended = once(this.#child, 'exit', { signal }).then(() => [])
    try {
      const [message] = await Promise.race([once(this.#child, 'message', { signal }), ended])
      this.#isReady = Check(FromChild, message) && message.kind === 'ready'
    } catch {
      // The process could not be started, or takes too long.
    } finally {
      this.#rest()
    }
    return this.#isReady
  }

  /** Runs a job, and ends the process if it takes too long. */
  async run(
    job: Job,
    remote: RemoteFile | undefined,
    deadlineMs: number,
  ): Promise<Outcome<Result> | Unstarted> {
    this.#jobs += 1
    this.#hold()
    try {
      return await this.#converse(job, remote, deadlineMs)
    } finally {
      this.#rest()
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #hold(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  /** Lets the server exit while this child is idle. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #converse(
    job: Job,
    remote: RemoteFile | undefined,
    deadlineMs: number,
  ): Promise<Outcome<Result> | Unstarted> {
    const child = this.#child
    const { isResult } = this.#program
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Result> | Unstarted>()
    let contentType: string | undefined
    let because: 'deadline' | 'crash' = 'crash'
    const reader = new PieceReader(remote)
    const end = (reason: typeof because) => {
      because = reason
      this.kill()
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      if (!this.#isReady) return resolve({ kind: 'unstarted', reason: `${because}, ${signal ?? code}` })
      resolve({ kind: 'lost', because: signal === TOO_LARGE_SIGNAL ? 'memory' : because, contentType })
    }
    // The child could not be started or ended, which is not the file's fault.
    const onError = () => reject(new ApiError('unavailable'))
    const onMessage = async (message: unknown) => {
      if (!Check(FromChild, message)) return end('crash')
      if (message.kind === 'ready') begin()
      else if (message.kind === 'type') contentType = message.contentType
      else if (message.kind === 'read') this.#send({ kind: 'bytes', bytes: await reader.read(message) })
      else if (message.kind !== 'done') resolve(message)
      else if (isResult(message.result)) resolve({ kind: 'done', result: message.result })
      else end('crash')
    }
    let timer = setTimeout(() => end('deadline'), this.#isReady ? deadlineMs : START_MS)
    const begin = () => {
      // A second `ready` would give a child more time.
      if (this.#isReady) return end('crash')
      this.#isReady = true
      clearTimeout(timer)
      timer = setTimeout(() => end('deadline'), deadlineMs)
    }
    child.on('message', onMessage).once('exit', onExit).once('error', onError)
    this.#send({ kind: 'job', job })
    return promise.finally(() => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
    })
  }

  /** Sends a message, without handling errors: if the child has ended, its `exit` event reports it. */
  #send(message: ToChild<Job>): void {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}

/** Must run before the child has threads, which inherit its priority. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(NICEST, getPriority() + NICER))
  } catch {
    // The child has already ended; the next job reports it.
  }
}

/** Reads for a child, within limits. */
class PieceReader {
  readonly #remote: RemoteFile | undefined
  #reads = 0

  constructor(remote: RemoteFile | undefined) {
    this.#remote = remote
  }

  async read({ start, end }: { start: number; end: number }): Promise<Buffer | null> {
    this.#reads += 1
    const isFair =
      end < (this.#remote?.sizeBytes ?? 0) && end - start < MAX_READ_BYTES && this.#reads <= MAX_READS
    if (this.#remote === undefined || !isFair) return null
    return this.#remote.read(start, end).catch(() => null)
  }
}
