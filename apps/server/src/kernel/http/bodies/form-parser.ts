import { isUtf8 } from 'node:buffer'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ContentType, Filename } from '@foyer/protocol/attachments'
import { Type } from 'typebox'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { compileInput, invalidInput } from '../validation.ts'

const MAX_TEXTS = 64
const MAX_TEXT_BYTES = 64 * 1024
/** Maximum bytes of a form's texts together. They are held in memory, for hundreds of forms at once. */
const MAX_ALL_TEXT_BYTES = 256 * 1024
const MAX_FIELD_NAME_LENGTH = 256
const MAX_PART_HEADERS = 16
const MAX_PART_HEADER_BYTES = 8 * 1024
const TOO_MANY_PARTS = 'the form has too many parts'

const isFileHead = compileInput(Type.Object({ filename: Filename(), content_type: ContentType() }))

/** A file of a form, on this machine's disk until the form is disposed of. */
export interface SpooledFile {
  /** The name of its field. */
  field: string
  filename: string
  /** Type declared by the sender, in lower case and without parameters. */
  contentType: string
  sizeBytes: number
  path: string
}

export interface ParserOptions {
  /** The folder for files. */
  folder: string
  maxFiles: number
  tooMany: ErrorCode
}

/** Parses multipart/form-data as it arrives: texts into memory, files into a folder. */
export class FormParser {
  readonly #options: ParserOptions
  readonly #busboy: BusboyInstance
  readonly #failure = Promise.withResolvers<never>()
  readonly #finished = Promise.withResolvers<void>()
  readonly #abort = new AbortController()
  readonly #writes: Promise<void>[] = []
  readonly #fields = new Map<string, string>()
  readonly #files: SpooledFile[] = []
  #textBytes = 0

  /** @throws ApiError 400 for a content type without a boundary */
  constructor(contentType: string, options: ParserOptions) {
    this.#options = options
    this.#busboy = openBusboy(contentType, options.maxFiles)
    this.#busboy
      .on('file', (...[field, stream, filename, , type]) => this.#begin({ field, filename, type }, stream))
      .on('partsLimit', () => this.#fail(new ApiError('invalid_multipart', TOO_MANY_PARTS)))
      .on('error', () => this.#fail(new ApiError('invalid_multipart')))
      .on('finish', () => this.#finished.resolve())
    this.#failure.promise.catch(() => {})
  }

  /** Rejects as soon as the form is known to be invalid. */
  get failed(): Promise<never> {
    return this.#failure.promise
  }

  /** Returns whether more may be written before the next drain. */
  write(chunk: Buffer): boolean {
    return this.#busboy.write(chunk)
  }

  onDrain(listener: () => void): void {
    this.#busboy.on('drain', listener)
  }

  /** Returns the parts after the last one is on the disk. */
  async end(): Promise<{ fields: Record<string, string>; files: SpooledFile[] }> {
    this.#busboy.end()
    await Promise.race([this.#finished.promise, this.#failure.promise])
    await Promise.race([Promise.all(this.#writes), this.#failure.promise])
    return { fields: Object.fromEntries(this.#fields), files: this.#files }
  }

  /** Closes all files. */
  async abort(): Promise<void> {
    this.#abort.abort()
    await Promise.allSettled(this.#writes)
  }

  #fail(error: unknown): void {
    this.#failure.reject(error)
  }

  /** Called by Busboy in the middle of parsing, so it must not throw. */
  #begin(head: PartHead, stream: Readable): void {
    // Without a listener, the error of an interrupted part would end the process.
    stream.on('error', () => this.#fail(new ApiError('invalid_multipart')))
    try {
      this.#take(head, stream)
    } catch (error) {
      this.#fail(error)
      stream.resume()
    }
  }

  #take({ field, filename, type }: PartHead, stream: Readable): void {
    if (field === undefined || field.length > MAX_FIELD_NAME_LENGTH)
      throw new ApiError('invalid_multipart', 'a part of the form has no name')
    if (filename === undefined) this.#takeText(field, stream)
    else if (filename === '') this.#takeNothing(field, stream)
    else this.#takeFile(checkFileHead(field, { filename: withQuotes(filename), content_type: type }), stream)
  }

  #takeText(field: string, stream: Readable): void {
    if (this.#fields.has(field)) throw new ApiError('invalid_request', `${field} is given twice`)
    if (this.#fields.size === MAX_TEXTS) throw new ApiError('invalid_multipart', TOO_MANY_PARTS)
    this.#fields.set(field, '')
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      this.#textBytes += chunk.length
      if (length > MAX_TEXT_BYTES) this.#fail(new ApiError('invalid_request', `${field} is over 64 KiB`))
      else if (this.#textBytes > MAX_ALL_TEXT_BYTES)
        this.#fail(new ApiError('invalid_request', 'the texts of the form are over 256 KiB'))
      else chunks.push(chunk)
    })
    stream.once('end', () => this.#keepText(field, Buffer.concat(chunks)))
  }

  #keepText(field: string, bytes: Buffer): void {
    if (!isUtf8(bytes)) this.#fail(new ApiError('invalid_request', `${field} must be UTF-8`))
    else if (bytes.includes(0))
      this.#fail(new ApiError('invalid_request', `${field} must not contain NUL or lone surrogates`))
    else this.#fields.set(field, bytes.toString())
  }

  /** Accepts an empty file without a name, which browsers send for a file field left empty. */
  #takeNothing(field: string, stream: Readable): void {
    stream.on('data', () => this.#fail(new ApiError('invalid_request', `${field} has no filename`)))
  }

  #takeFile(file: Omit<SpooledFile, 'sizeBytes' | 'path'>, stream: Readable): void {
    const { folder, maxFiles, tooMany } = this.#options
    if (this.#files.length === maxFiles) throw new ApiError(tooMany)
    const spooled = { ...file, path: join(folder, String(this.#files.length)), sizeBytes: 0 }
    this.#files.push(spooled)
    this.#writes.push(this.#spool(spooled, stream).catch((error: unknown) => this.#fail(asFailure(error))))
  }

  async #spool(file: SpooledFile, stream: Readable): Promise<void> {
    const out = createWriteStream(file.path, { flags: 'wx', mode: 0o600 })
    // Registered first: the pipeline then destroys the part, and the error of the part would blame the form instead of the disk.
    out.once('error', (error) => this.#fail(asFailure(error)))
    await pipeline(stream, out, { signal: this.#abort.signal })
    file.sizeBytes = out.bytesWritten
  }
}

interface PartHead {
  field: string | undefined
  filename: string | undefined
  type: string
}

function openBusboy(contentType: string, maxFiles: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      // Texts are read as streams, too, because Busboy would silently repair them.
      isPartAFile: () => true,
      limits: {
        parts: MAX_TEXTS + 2 * maxFiles,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    })
  } catch {
    throw new ApiError('invalid_multipart', 'Content-Type must name a boundary')
  }
}

function checkFileHead(field: string, head: { filename: string; content_type: string }) {
  if (!isFileHead(head)) throw invalidInput(isFileHead.errors, 'the form')
  if (!head.filename.isWellFormed()) throw new ApiError('invalid_request', 'filename must be UTF-8')
  return { field, filename: head.filename, contentType: head.content_type.toLowerCase() }
}

/** Decodes quotation marks in a file name. Browsers and curl encode them as %22, but do not encode %. */
function withQuotes(filename: string): string {
  return filename.replaceAll('%22', '"')
}

function asFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT' ? new ApiError('disk_full') : error
}
