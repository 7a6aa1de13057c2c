import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Settings } from '#src/config.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'
import { readDocument } from '#src/kernel/storage/s3-answers.ts'
import { S3Client } from '#src/kernel/storage/s3-client.ts'
import { bucketUrl } from '#src/kernel/storage/s3-signing.ts'
import { BackupError } from './backup-error.ts'
import type { Content, Folder, Repository, Stored } from './repository.ts'
import { writeFrom } from './write-from.ts'

/** Longest silence of the storage. A part of 64 MiB may take minutes if data keeps flowing. */
const TIMEOUT_MS = 60_000
/** Names per page of a listing, few enough to keep it below MAX_PAGE_BYTES. */
const PAGE_NAMES = 1000
const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Pauses before the retries, in ms. A storage that restarts answers again after some seconds. */
const PAUSES_MS = [1000, 5000, 20_000]

/** Backups below a prefix of an S3-compatible bucket. */
export class S3Repository implements Repository {
  readonly location: string
  readonly #prefix: string
  readonly #client: S3Client
  readonly #outgoing = new Outgoing('trusted')
  readonly #pausesMs: readonly number[]

  /**
   * @param prefix without slashes at its ends; empty for the whole bucket
   * @param pausesMs pauses before the retries, one for each
   */
  constructor(settings: S3Settings, prefix: string, pausesMs: readonly number[] = PAUSES_MS) {
    this.#pausesMs = pausesMs
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.location = `s3://${settings.bucketName}/${prefix}`
    this.#client = new S3Client(settings, this.#outgoing, addressOf)
  }

  async read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const body = await this.#repeated(() => this.#readFrom(name, 0))
    return body === undefined ? undefined : this.#whole(name, body)
  }

  async write(name: string, { sizeBytes, open }: Content): Promise<void> {
    const put = async (pieces: () => AsyncIterable<Buffer>) => {
      const { body } = await this.#client.send({
        method: 'PUT',
        key: this.#keyOf(name),
        headers: { 'content-type': 'application/octet-stream', 'content-length': `${sizeBytes}` },
        body: async () => Readable.from(pieces(), { objectMode: false }),
        timeoutMs: TIMEOUT_MS,
      })
      await readDocument(body)
    }
    // The failure of a source is not a fault of this storage, so it is not retried.
    await this.#repeated(() => writeFrom(open, put))
  }

  async list(folder: Folder): Promise<Stored[]> {
    const found: Stored[] = []
    let token: string | undefined
    do {
      const page = await this.#repeated(() => this.#listPage(`${this.#prefix}${folder}/`, token))
      for (const { name, sizeBytes } of page.entries)
        found.push({ name: name.slice(this.#prefix.length), sizeBytes })
      token = page.next
    } while (token !== undefined)
    return found
  }

  async delete(name: string): Promise<void> {
    await this.#repeated(async () => {
      const { body } = await this.#client.send({ method: 'DELETE', key: this.#keyOf(name) })
      await readDocument(body)
    }).catch((error: unknown) => {
      const { cause } = error instanceof Error ? error : {}
      if (!(cause instanceof StoreError && cause.fault === 'missing')) throw error
    })
  }

  async close(): Promise<void> {
    await this.#outgoing.close()
  }

  /** Opens the object at this position; undefined if there is none. */
  async #readFrom(name: string, position: number): Promise<AsyncIterable<Buffer> | undefined> {
    try {
      const { status, body } = await this.#client.send({
        method: 'GET',
        key: this.#keyOf(name),
        headers: position === 0 ? {} : { range: `bytes=${position}-` },
        timeoutMs: TIMEOUT_MS,
      })
      return status === 206 ? body : withoutFirst(body, position)
    } catch (error) {
      if (error instanceof StoreError && error.fault === 'missing') return undefined
      throw error
    }
  }

  /** Yields the object. If the connection breaks, requests the remaining bytes. */
  async *#whole(name: string, first: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let body = first
    let position = 0
    for (const pauseMs of [...this.#pausesMs, undefined]) {
      let failure: unknown
      const pieces: AsyncIterable<Buffer> = untilFailure(body, (error) => {
        failure = error ?? new Error(`${name} broke off`)
      })
      for await (const piece of pieces) {
        position += piece.length
        yield piece
      }
      if (failure === undefined) return
      if (pauseMs === undefined) throw this.#explained(failure)
      await delay(pauseMs)
      const rest = await this.#repeated(() => this.#readFrom(name, position))
      if (rest === undefined) throw this.#explained(new Error(`${name} is gone`))
      body = rest
    }
  }

  async #listPage(prefix: string, token: string | undefined): Promise<Page> {
    const query = new URLSearchParams({ 'list-type': '2', 'max-keys': `${PAGE_NAMES}`, prefix })
    if (token !== undefined) query.set('continuation-token', token)
    const { body } = await this.#client.send({
      method: 'GET',
      key: `?${query}`,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_PAGE_BYTES,
    })
    return pageIn(Buffer.concat(await Array.fromAsync<Buffer>(body)).toString())
  }

  #keyOf(name: string): string {
    return `${this.#prefix}${name}`
  }

  /** Retries work while the storage is unreachable, which is often temporary. */
  async #repeated<T>(work: () => Promise<T>, attempt = 0): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const mayPass = error instanceof StoreError && error.fault === 'unreachable'
      if (attempt === this.#pausesMs.length || !mayPass) throw this.#explained(error)
    }
    await delay(this.#pausesMs[attempt])
    return this.#repeated(work, attempt + 1)
  }

  #explained(error: unknown): unknown {
    if (error instanceof BackupError) return error
    const why = error instanceof Error ? error.message : String(error)
    return new BackupError(`the backup bucket ${this.location} cannot be used: ${why}`, { cause: error })
  }
}

/** Returns the URL of an object. A key that begins with `?` is the query of a request to the bucket itself. */
function addressOf(settings: S3Settings, key: string): URL {
  if (!key.startsWith('?')) return bucketUrl(settings, key)
  const url = bucketUrl(settings, '')
  url.search = key
  return url
}

/** Yields pieces until a failure, which is reported instead of thrown. */
async function* untilFailure(
  pieces: AsyncIterable<Buffer>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* pieces
  } catch (error) {
    onFailure(error)
  }
}

/** Skips the beginning, for a storage without support for ranges. */
async function* withoutFirst(pieces: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const piece of pieces) {
    if (piece.length > left) yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}

interface Page {
  entries: Stored[]
  /** Token of the next page; undefined for the last. */
  next: string | undefined
}

/**
 * Reads a page of a listing. The names are our own, without characters that XML would escape. A storage may send fewer
 * names than requested, so only IsTruncated shows the last page: unlisted parts would be treated as missing.
 */
function pageIn(document: string): Page {
  const isTruncated = /<IsTruncated>\s*(true|false)\s*<\/IsTruncated>/.exec(document)?.[1]
  if (!document.includes('<ListBucketResult') || isTruncated === undefined)
    throw new StoreError('unreachable', 'the storage sent no listing')
  const entries = document
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => {
      const name = /<Key>([^<]*)<\/Key>/.exec(entry)?.[1]
      const size = /<Size>(\d{1,15})<\/Size>/.exec(entry)?.[1]
      return name === undefined || size === undefined ? [] : [{ name, sizeBytes: Number(size) }]
    })
  if (isTruncated === 'false') return { entries, next: undefined }
  const next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(document)?.[1]
  if (next === undefined) throw new StoreError('unreachable', 'the storage sent half a listing')
  return { entries, next: unescaped(next) }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces the entities in an XML text by their characters. */
function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([0-9a-fA-F]{1,5})|(amp|lt|gt|quot|apos));/g, (_all, ...found) => {
    const [decimal, hexadecimal, name]: (string | undefined)[] = found
    if (name !== undefined) return ENTITIES[name] ?? ''
    return String.fromCodePoint(
      decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal),
    )
  })
}
