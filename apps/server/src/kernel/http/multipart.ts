import { rm } from 'node:fs/promises'
import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import { BodyReading, hasBody, requirePlainBody } from './body-bytes.ts'
import { senderOf } from './body-memory.ts'
import { FormParser, type SpooledFile } from './form-parser.ts'
import type { FormPlace } from './form-space.ts'

export type { SpooledFile } from './form-parser.ts'

/** What came as multipart/form-data. Its files go when it is disposed of: `await using form = await readForm(request)`. */
export interface Form extends AsyncDisposable {
  fields: Record<string, string>
  /** In the order in which they came. */
  files: SpooledFile[]
}

export interface FormLimits {
  /** 10 unless said otherwise. */
  maxFiles?: number
  /** What more files are refused with: `too_many_files` unless said otherwise. */
  tooMany?: ErrorCode
}

/** Whether the body says that it is multipart/form-data. */
export function isForm({ mediaType }: FastifyRequest): boolean {
  return mediaType === 'multipart/form-data'
}

/**
 * Reads a form, its files onto the disk. Handlers call it after access was granted, and ask for access again after it: a
 * form may take minutes to arrive.
 * @throws ApiError 400 for what is no form, has too much in it, breaks off, or is over 32 MiB without having said so; 503
 * while too many forms are on their way, 507 while the disk has too little room
 */
export async function readForm(request: FastifyRequest, limits: FormLimits = {}): Promise<Form> {
  if (!hasBody(request)) throw new ApiError('invalid_multipart', 'the request body is missing')
  if (!isForm(request)) throw new ApiError('invalid_request', 'Content-Type must be multipart/form-data')
  requirePlainBody(request)
  const { formSpace } = request.server
  await formSpace.checkDisk(Number(request.headers['content-length'] ?? 0))
  await using opened = new AsyncDisposableStack()
  const place = formSpace.enter(senderOf(request))
  opened.defer(() => place.leave())
  const folder = await formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { maxFiles = MAX_MESSAGE_FILES, tooMany = 'too_many_files' } = limits
  const parser = new FormParser(request.headers['content-type'] ?? '', { folder, maxFiles, tooMany })
  const parts = await receive(request, parser, place)
  const kept = opened.move()
  return { ...parts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Feeds the parser at the pace of the disk. When either fails, so does the other; all files are closed at the end. */
async function receive({ raw }: FastifyRequest, parser: FormParser, place: FormPlace): Promise<FormParts> {
  const reading = new BodyReading(raw, (chunk) => {
    if (!place.grow(chunk.length)) return 'unavailable'
    if (!parser.write(chunk)) raw.pause()
    return undefined
  })
  parser.onDrain(() => raw.resume())
  parser.failed.catch((error: unknown) => reading.refuse(error))
  try {
    await reading.run()
    return await parser.end()
  } catch (error) {
    await parser.abort()
    throw error
  }
}

type FormParts = Pick<Form, 'fields' | 'files'>
