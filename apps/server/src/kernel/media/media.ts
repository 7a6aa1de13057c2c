import { rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { Check } from 'typebox/value'
import { ApiError } from '../errors.ts'
import type { Outcome, Program, RemoteFile } from './child-process.ts'
import { type ExpectedFile, type Facts, Finding, type Job } from './jobs.ts'
import { type Lent, lend, takeBack } from './lending.ts'
import { type PoolOptions, ProcessPool } from './process-pool.ts'
import { isMeasurable } from './types.ts'

export type { RemoteFile } from './child-process.ts'
export type { ExpectedFile as Wish, Facts } from './jobs.ts'

const PROGRAM: Program<Finding> = {
  url: new URL('./child.ts', import.meta.url),
  isResult: (value) => Check(Finding, value),
  hasAddons: true,
}

/** Maximum local processes. Each may use 1.25 GiB of memory. */
const MAX_LOCAL_PROCESSES = 2

export interface Examined extends Facts {
  /** Path of the re-encoded file, which is beside the original, or of the original. */
  path: string
  sizeBytes: number
}

/** Examines files and re-encodes pictures, in processes that may crash. */
export class Media {
  readonly #folder: string
  #isClosed = false
  readonly #local: ProcessPool<Job, Finding>
  /** A separate pool, because remote storage belongs to users and may be slow. */
  readonly #remote: ProcessPool<Job, Finding>

  /** Files waiting to be examined. */
  get waiting(): number {
    return this.#local.waiting + this.#remote.waiting
  }

  /** @param folder folder of the files to examine */
  constructor(folder: string, options: Partial<PoolOptions> = {}) {
    // Children run in the folder, and would look for a relative path from there.
    this.#folder = resolve(folder)
    const processes = localProcesses(availableParallelism())
    this.#local = new ProcessPool({ ...PROGRAM, folder: this.#folder }, { processes, ...options })
    this.#remote = new ProcessPool(PROGRAM, options)
  }

  /**
   * Examines a local file by its content. A picture is re-encoded to a new file: upright, without metadata, in a
   * format that browsers show, and scaled to fit for an `image`.
   * @param sender senders take turns
   * @throws ApiError 400 invalid_image, 400 image_too_complex; 503 if too many files wait
   */
  async examine(path: string, expected: ExpectedFile, sender = ''): Promise<Examined> {
    const outPath = `${path}.new`
    try {
      const outcome = await this.#examineLent({ path, outPath }, expected, sender)
      const { facts, isNew } = findingOf(outcome, expected)
      const result = isNew ? outPath : path
      return { ...facts, path: result, sizeBytes: (await stat(result)).size }
    } catch (error) {
      await rm(outPath, { force: true })
      // Closing the server removes the folder.
      throw this.#isClosed ? new ApiError('unavailable') : error
    }
  }

  /**
   * Examines parts of a remote file. A picture is reported as application/octet-stream, because it would have to be
   * re-encoded.
   * @param sender senders take turns
   * @throws ApiError 503 if too many files wait; errors of the source
   */
  async examineRemote(source: RemoteFile, claimedType: string, sender = ''): Promise<Facts> {
    const job: Job = { kind: 'remote', sizeBytes: source.sizeBytes, claimedType }
    const reader = new Reader(source)
    const outcome = await this.#remote.run(job, sender, reader)
    if (reader.failure !== undefined) throw reader.failure.error
    return findingOf(outcome, { kind: 'any', claimedType }).facts
  }

  /** Uses paths relative to the folder, because children cannot traverse its parents. */
  async #examineLent(lent: Lent, expected: ExpectedFile, sender: string): Promise<Outcome<Finding>> {
    const { userId } = await this.#local.start()
    const [path, outPath] = [relative(this.#folder, lent.path), relative(this.#folder, lent.outPath)]
    const job: Job = { kind: 'local', path, outPath, expected }
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

  /** Ends the processes. Waiting jobs get 503. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#local.close()
    this.#remote.close()
  }
}

/**
 * Returns the number of local processes. Decoding uses a whole core, and a low priority is not enough: whenever the
 * server or database wakes up, a child would have to be stopped first. One core stays free for them.
 */
export function localProcesses(cores: number): number {
  return Math.max(1, Math.min(MAX_LOCAL_PROCESSES, cores - 1))
}

/** Keeps the original error, because the child is only notified that reading failed. */
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

function findingOf(outcome: Outcome<Finding>, expected: ExpectedFile): Finding {
  if (outcome.kind === 'done') return outcome.result
  if (outcome.kind === 'refused') throw new ApiError(outcome.code)
  if (outcome.kind === 'failed') throw new Error(`a file could not be examined: ${outcome.message}`)
  return { facts: factsOfLost(outcome.contentType, expected), isNew: false }
}

/**
 * Returns the facts of a file that crashed its child: video and audio keep their type, other files become plain bytes.
 * @throws ApiError 400 for a picture
 */
function factsOfLost(contentType: string | undefined, expected: ExpectedFile): Facts {
  if (expected.kind === 'image' || contentType?.startsWith('image/') === true)
    throw new ApiError('image_too_complex')
  const isKnown = contentType !== undefined && isMeasurable(contentType)
  return {
    contentType: isKnown ? contentType : 'application/octet-stream',
    width: null,
    height: null,
    animated: false,
  }
}
