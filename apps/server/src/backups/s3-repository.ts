import { Readable } from 'node:stream'
import type { S3Settings } from '#src/config.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'
import { readDocument } from '#src/kernel/storage/s3-answers.ts'
import { S3Client } from '#src/kernel/storage/s3-client.ts'
import { bucketUrl } from '#src/kernel/storage/s3-signing.ts'
import { BackupError } from './backup-error.ts'
import type { Content, Folder, Repository, Stored } from './repository.ts'

/** Longest silence of the storage. A part of 64 MiB may take minutes as long as it moves. */
const TIMEOUT_MS = 60_000
/** Names in a page of a listing, so that it stays below this size. */
const PAGE_NAMES = 1000
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const ATTEMPTS = 3

/** Backups below a prefix of an S3-compatible bucket. */
export class S3Repository implements Repository {
  readonly location: string
  readonly #prefix: string
  readonly #client: S3Client
  readonly #outgoing = new Outgoing('trusted')

  /** @param prefix without slashes at its ends; empty for the whole bucket */
  constructor(settings: S3Settings, prefix: string) {
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.location = `s3://${settings.bucketName}/${prefix}`
    this.#client = new S3Client(settings, this.#outgoing, addressOf)
  }

  async read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    try {
      const { body } = await this.#client.send({
        method: 'GET',
        key: this.#keyOf(name),
        timeoutMs: TIMEOUT_MS,
      })
      return this.#explaining(body)
    } catch (error) {
      if (error instanceof StoreError && error.fault === 'missing') return undefined
      throw this.#explained(error)
    }
  }

  async write(name: string, { sizeBytes, open }: Content): Promise<void> {
    await this.#repeated(async () => {
      const { body } = await this.#client.send({
        method: 'PUT',
        key: this.#keyOf(name),
        headers: { 'content-type': 'application/octet-stream', 'content-length': `${sizeBytes}` },
        body: async () => Readable.from(open(), { objectMode: false }),
        timeoutMs: TIMEOUT_MS,
      })
      await readDocument(body)
    })
  }

  async list(folder: Folder): Promise<Stored[]> {
    const found: Stored[] = []
    let after = ''
    for (;;) {
      const page = await this.#repeated(() => this.#listPage(`${this.#prefix}${folder}/`, after))
      found.push(...page.map(({ name, sizeBytes }) => ({ name: name.slice(this.#prefix.length), sizeBytes })))
      if (page.length < PAGE_NAMES) return found
      after = page.at(-1)?.name ?? ''
    }
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

  async #listPage(prefix: string, after: string): Promise<Stored[]> {
    const query = new URLSearchParams({ 'list-type': '2', 'max-keys': `${PAGE_NAMES}`, prefix })
    if (after !== '') query.set('start-after', after)
    const { body } = await this.#client.send({
      method: 'GET',
      key: `?${query}`,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_PAGE_BYTES,
    })
    return entriesIn(Buffer.concat(await Array.fromAsync<Buffer>(body)).toString())
  }

  #keyOf(name: string): string {
    return `${this.#prefix}${name}`
  }

  /** Repeats work: the storage may break off at any moment, and be there again after a second. */
  async #repeated<T>(work: () => Promise<T>, attempt = 1): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const mayPass = error instanceof StoreError && error.fault === 'unreachable'
      if (attempt === ATTEMPTS || !mayPass) throw this.#explained(error)
    }
    return this.#repeated(work, attempt + 1)
  }

  async *#explaining(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* pieces
    } catch (error) {
      throw this.#explained(error)
    }
  }

  #explained(error: unknown): unknown {
    if (error instanceof BackupError) return error
    const why = error instanceof Error ? error.message : String(error)
    return new BackupError(`the backup bucket ${this.location} cannot be used: ${why}`, { cause: error })
  }
}

/** A key that begins with a question mark is a request to the bucket itself. */
function addressOf(settings: S3Settings, key: string): URL {
  if (!key.startsWith('?')) return bucketUrl(settings, key)
  const url = bucketUrl(settings, '')
  url.search = key
  return url
}

/** Reads a listing. The names are our own, without characters that XML would escape. */
function entriesIn(document: string): Stored[] {
  if (!document.includes('<ListBucketResult'))
    throw new StoreError('unreachable', 'the storage sent no listing')
  return document
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => {
      const name = /<Key>([^<]*)<\/Key>/.exec(entry)?.[1]
      const size = /<Size>(\d{1,15})<\/Size>/.exec(entry)?.[1]
      return name === undefined || size === undefined ? [] : [{ name, sizeBytes: Number(size) }]
    })
}
