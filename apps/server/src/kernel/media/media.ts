import { rm, stat } from 'node:fs/promises'
import { Check } from 'typebox/value'
import { ApiError } from '../errors.ts'
import type { Outcome, Program, RemoteFile } from './child-process.ts'
import { type Facts, Finding, type Job, type Wish } from './jobs.ts'
import { type PoolOptions, ProcessPool } from './process-pool.ts'
import { isMeasurable } from './types.ts'

export type { RemoteFile } from './child-process.ts'
export type { Facts, Wish } from './jobs.ts'

const PROGRAM: Program<Finding> = {
  url: new URL('./child.ts', import.meta.url),
  isResult: (value) => Check(Finding, value),
}

export interface Examined extends Facts {
  /** A new temporary file beside the old one, or the same. */
  path: string
  sizeBytes: number
}

/** Finds out what files are, and makes pictures anew, in processes that may be lost. */
export class Media {
  readonly #local: ProcessPool<Job, Finding>
  /** Storage elsewhere may be slow, and is for its owner to choose: nobody else waits for it. */
  readonly #remote: ProcessPool<Job, Finding>

  constructor(options: Partial<PoolOptions> = {}) {
    this.#local = new ProcessPool(PROGRAM, options)
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
      const outcome = await this.#local.run({ kind: 'local', path, outPath, wish }, sender)
      const { facts, isNew } = findingOf(outcome, wish)
      const result = isNew ? outPath : path
      return { ...facts, path: result, sizeBytes: (await stat(result)).size }
    } catch (error) {
      await rm(outPath, { force: true })
      throw error
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

  /** Ends the processes; who waits gets 503. */
  async close(): Promise<void> {
    this.#local.close()
    this.#remote.close()
  }
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
