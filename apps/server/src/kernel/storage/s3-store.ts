import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { S3Settings } from '#src/config.ts'
import { dispositionOf } from '../media/disposition.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { checkedKey } from './keys.ts'
import {
  type ByteRange,
  type DownloadLook,
  type ObjectStore,
  type PresignedUpload,
  StoreError,
  type StreamSource,
} from './object-store.ts'
import { errorCodeIn, MAX_DOCUMENT_BYTES, readDocument, storeErrorOf } from './s3-answers.ts'
import { S3Client } from './s3-client.ts'
import { objectUrl, presignedUrl } from './s3-signing.ts'

/** Longest silence during an upload: a store may be silent while it processes the last part. */
const PUT_TIMEOUT_MS = 60_000
/** Time limit of an upload, as long as a multipart body may take to arrive: its files occupy disk space that others need. */
const PUT_DEADLINE_MS = 300_000
/** Longest silence during a copy: some stores copy up to 5 GiB byte by byte before they answer. */
const COPY_TIMEOUT_MS = 600_000

/** Objects in an S3-compatible bucket. Even the largest needs one request: see MAX_UPLOAD_BYTES. */
export class S3Store implements ObjectStore {
  readonly #settings: S3Settings
  readonly #client: S3Client

  constructor(settings: S3Settings, outgoing: Outgoing) {
    this.#settings = settings
    this.#client = new S3Client(settings, outgoing)
  }

  put(key: string, file: { path: string; sizeBytes: number; contentType: string }): Promise<void> {
    return this.putStream(key, { ...file, open: async () => createReadStream(file.path) })
  }

  async putStream(key: string, { sizeBytes, contentType, open }: StreamSource): Promise<void> {
    const { body } = await this.#client.send({
      method: 'PUT',
      key,
      headers: { 'content-type': contentType, 'content-length': `${sizeBytes}` },
      body: open,
      timeoutMs: PUT_TIMEOUT_MS,
      deadlineMs: PUT_DEADLINE_MS,
    })
    await readDocument(body)
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const { status, body } = await this.#client.send({ method: 'GET', key, ...rangeOf(range) })
    if (status === (range === undefined ? 200 : 206)) return body
    body.destroy()
    throw new StoreError('unreachable', `the storage answered ${status} instead of sending the object`)
  }

  async sizeOf(key: string): Promise<number | undefined> {
    try {
      const { headers, body } = await this.#client.send({ method: 'HEAD', key })
      body.destroy()
      return sizeIn(headers)
    } catch (error) {
      return undefinedIfMissing(error)
    }
  }

  async move(from: string, to: string): Promise<void> {
    await this.copy(from, to)
    await this.delete(from)
  }

  async copy(from: string, to: string): Promise<void> {
    const source = `/${encodeURIComponent(this.#settings.bucketName)}/${checkedKey(from)}`
    const headers = { 'x-amz-copy-source': source }
    const { status, body } = await this.#client.send({
      method: 'PUT',
      key: to,
      headers,
      timeoutMs: COPY_TIMEOUT_MS,
    })
    checkCopied(status, await readDocument(body, COPY_TIMEOUT_MS))
  }

  async delete(key: string): Promise<void> {
    try {
      const { body } = await this.#client.send({ method: 'DELETE', key })
      await readDocument(body)
    } catch (error) {
      undefinedIfMissing(error)
    }
  }

  async presignDownload(key: string, look: DownloadLook, seconds: number): Promise<string> {
    const url = objectUrl(this.#settings, key)
    url.searchParams.set('response-content-type', look.contentType)
    url.searchParams.set('response-content-disposition', dispositionOf(look))
    return presignedUrl(this.#settings, { method: 'GET', url, headers: {} }, seconds)
  }

  /**
   * The length is signed, but not among the headers: browsers send it by themselves, and do not let scripts set it.
   */
  async presignUpload(
    key: string,
    file: { sizeBytes: number; contentType: string },
    seconds: number,
  ): Promise<PresignedUpload> {
    const headers = { 'content-type': file.contentType }
    const signed = { ...headers, 'content-length': `${file.sizeBytes}` }
    const url = objectUrl(this.#settings, key)
    const request = { method: 'PUT', url, headers: signed }
    return { url: await presignedUrl(this.#settings, request, seconds), method: 'PUT', headers }
  }
}

/** Returns the header for a range, and a size limit: a space chooses the server, which may never end its answer. */
function rangeOf(range: ByteRange | undefined) {
  if (range === undefined) return {}
  const { start, end } = range
  const headers = { range: `bytes=${start}-${end}` }
  return { headers, maxBytes: Math.max(end - start + 1, MAX_DOCUMENT_BYTES) }
}

function sizeIn(headers: Record<string, string>): number {
  const length = headers['content-length'] ?? ''
  if (/^\d{1,15}$/.test(length)) return Number(length)
  throw new StoreError('unreachable', 'the storage did not report the size')
}

/** Checks the answer to a copy. S3 may begin it before it has copied, and report a failure with a status of success. */
function checkCopied(status: number, document: string): void {
  if (/<(\w+:)?CopyObjectResult[\s>]/.test(document)) return
  throw storeErrorOf({ status, code: errorCodeIn(document) }, 'PUT')
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof StoreError && error.fault === 'missing') return undefined
  throw error
}
