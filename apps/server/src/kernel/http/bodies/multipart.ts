import { rm } from 'node:fs/promises'
import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { BodyReading, hasBody, requirePlainBody } from './body-bytes.ts'
import { senderOf } from './body-memory.ts'
import { FormParser, type SpooledFile } from './form-parser.ts'
import type { FormSlot } from './form-space.ts'

export type { SpooledFile } from './form-parser.ts'

/**
 * A parsed multipart/form-data body. Its files are deleted when it is disposed of: `await using form = await
 * readForm(request)`.
 */
export interface Form extends AsyncDisposable {
  fields: Record<string, string>
  /** In order of arrival. */
  files: SpooledFile[]
}

export interface FormLimits {
  /** 10 by default. */
  maxFiles?: number
  /** The error for more files, `too_many_files` by default. */
  tooMany?: ErrorCode
}

/** Returns whether the body is declared as multipart/form-data. */
export function isForm({ mediaType }: FastifyRequest): boolean {
  return mediaType === 'multipart/form-data'
}

/**
 * Reads a multipart/form-data body, with its files on disk. Handlers call it after access was granted, and check access
 * again afterwards, because a form may take minutes to arrive.
 * @throws ApiError 400 if the form is invalid or interrupted, exceeds a limit, or has no length and over 32 MiB (a
 * longer body with a length is refused before); 503 while too many forms are being received; 507 if the disk has too little space
 */
export async function readForm(request: FastifyRequest, limits: FormLimits = {}): Promise<Form> {
  if (!hasBody(request)) throw new ApiError('invalid_multipart', 'the request body is missing')
  if (!isForm(request)) throw new ApiError('invalid_request', 'Content-Type must be multipart/form-data')
  requirePlainBody(request)
  const { formSpace } = request.server
  await formSpace.checkDisk(Number(request.headers['content-length'] ?? 0))
  await using opened = new AsyncDisposableStack()
  const slot = formSpace.enter(senderOf(request))
  opened.defer(() => slot.leave())
  const folder = await formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { maxFiles = MAX_MESSAGE_FILES, tooMany = 'too_many_files' } = limits
  const parser = new FormParser(request.headers['content-type'] ?? '', { folder, maxFiles, tooMany })
  const parts = await receive(request, parser, slot)
  const kept = opened.move()
  return { ...parts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Feeds the body to the parser at the pace of the disk. If reading or parsing fails, both end and all files are closed. */
async function receive({ raw }: FastifyRequest, parser: FormParser, slot: FormSlot): Promise<FormParts> {
  const reading = new BodyReading(raw, (chunk) => {
    if (!slot.grow(chunk.length)) return 'unavailable'
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
