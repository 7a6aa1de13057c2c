import { rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { Check } from 'typebox/value'
import { ApiError } from '../errors.ts'
import type { Outcome, Program, RemoteFile } from './child-process.ts'
import { type Facts, Finding, type Job, type Wish } from './jobs.ts'
import { type Lent, lend, takeBack } from './lending.ts'
import { type PoolOptions, ProcessPool } from './process-pool.ts'
import { isMeasurable } from './types.ts'

export type { RemoteFile } from './child-process.ts'
export type { Facts, Wish } from './jobs.ts'

const PROGRAM: Program<Finding> = {
  url: new URL('./child.ts', import.meta.url),
  isResult: (value) => Check(Finding, value),
  hasAddons: true,
}

/** Each may take 1.25 GiB. */
const MAX_LOCAL_PROCESSES = 2

export interface Examined extends Facts {
  /** A new temporary file beside the old one, or the same. */
  path: string
  sizeBytes: number
}

/** Finds out what files are, and makes pictures anew, in processes that may be lost. */
export class Media {
  readonly #folder: string
  #isClosed = false
  readonly #local: ProcessPool<Job, Finding>
  /** Storage elsewhere may be slow, and is for its owner to choose: nobody else waits for it. */
  readonly #remote: ProcessPool<Job, Finding>

  /** Files that wait to be examined. */
  get waiting(): number {
    return this.#local.waiting + this.#remote.waiting
  }

  /** @param folder where the files are that it examines */
  constructor(folder: string, options: Partial<PoolOptions> = {}) {
    this.#folder = folder
    const processes = localProcesses(availableParallelism())
    this.#local = new ProcessPool({ ...PROGRAM, folder }, { processes, ...options })
    this.#remote = new ProcessPool(PROGRAM, options)
  }

  /**
   * What a local file is, by its content. A picture comes back as a new file: upright, without metadata, in a format that
   * browsers show, for an `image` made to fit.
   * @param sender senders take turns
   * @throws ApiError 400 invalid_image, 400 image_too_complex; 503 when too many files wait
   */
  async examine(path: string, wish: Wish, sender = ''): Promise<Examined> {
    const outPath = `${path}.new`
    try {
      const outcome = await this.#examineLent({ path, outPath }, wish, sender)
      const { facts, isNew } = findingOf(outcome, wish)
      const result = isNew ? outPath : path
      return { ...facts, path: result, sizeBytes: (await stat(result)).size }
    } catch (error) {
      await rm(outPath, { force: true })
      // A server that closes removes the folder.
      throw this.#isClosed ? new ApiError('unavailable') : error
    }
  }

  /**
   * What a file elsewhere is, by parts of it. A picture would have to be made anew: it is told as application/octet-stream.
   * @param sender senders take turns
   * @throws ApiError 503 when too many files wait; what reading it threw
   */
  async examineRemote(source: RemoteFile, claimedType: string, sender = ''): Promise<Facts> {
    const job: Job = { kind: 'remote', sizeBytes: source.sizeBytes, claimedType }
    const reader = new Reader(source)
    const outcome = await this.#remote.run(job, sender, reader)
    if (reader.failure !== undefined) throw reader.failure.error
    return findingOf(outcome, { kind: 'any', claimedType }).facts
  }

  /** By paths from the folder: from elsewhere the children cannot pass through what is above it. */
  async #examineLent(lent: Lent, wish: Wish, sender: string): Promise<Outcome<Finding>> {
    const { userId } = await this.#local.start()
    const [path, outPath] = [relative(this.#folder, lent.path), relative(this.#folder, lent.outPath)]
    const job: Job = { kind: 'local', path, outPath, wish }
    if (userId === undefined) return this.#local.run(job, sender)
    let isNew = false
    await lend(lent, userId)
    try {
      const outcome = await this.#local.run(job, sender)
      isNew = outcome.kind === 'done' && outcome.result.isNew
      return outcome
    } finally {
      await takeBack(lent, isNew)
    }
  }

  /** Ends the processes; who waits gets 503. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#local.close()
    this.#remote.close()
  }
}

/**
 * Decoding takes a whole core, and a lower priority is not enough: each time the server or the database wakes up, a child would have
 * to be stopped first. One core is left to them.
 */
export function localProcesses(cores: number): number {
  return Math.max(1, Math.min(MAX_LOCAL_PROCESSES, cores - 1))
}

/** Remembers what went wrong: a child hears only that something did. */
class Reader implements RemoteFile {
  readonly #source: RemoteFile
  failure: { error: unknown } | undefined

  constructor(source: RemoteFile) {
    this.#source = source
  }

  get sizeBytes(): number {
    return this.#source.sizeBytes
  }

  async read(start: number, end: number): Promise<Buffer> {
    try {
      return await this.#source.read(start, end)
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }
}

function findingOf(outcome: Outcome<Finding>, wish: Wish): Finding {
  if (outcome.kind === 'done') return outcome.result
  if (outcome.kind === 'refused') throw new ApiError(outcome.code)
  if (outcome.kind === 'failed') throw new Error(`a file could not be examined: ${outcome.message}`)
  return { facts: factsOfLost(outcome.contentType, wish), isNew: false }
}

/** What a child did not survive: no picture, or a file of which nothing more is known. */
function factsOfLost(contentType: string | undefined, wish: Wish): Facts {
  if (wish.kind === 'image' || contentType?.startsWith('image/') === true)
    throw new ApiError('image_too_complex')
  const isKnown = contentType !== undefined && isMeasurable(contentType)
  return {
    contentType: isKnown ? contentType : 'application/octet-stream',
    width: null,
    height: null,
    animated: false,
  }
}
