import { isUtf8 } from 'node:buffer'
import { ExecuteWebhookBody, ExecuteWebhookForm } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { parseInput, readBody } from '#src/kernel/http/bodies/body.ts'
import { readBytes } from '#src/kernel/http/bodies/body-bytes.ts'
import { readFields, readJsonField } from '#src/kernel/http/bodies/form-fields.ts'
import { type Form, isForm, readForm, type SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { Payload } from './payload.ts'

/** Maximum size of a URL-encoded form in bytes. Decoding more would block other requests for too long. */
const MAX_ENCODED_BYTES = 8 * 1024 * 1024

/** A request to post by webhook. Disposing of it deletes its files. */
export interface Execution extends AsyncDisposable {
  body: ExecuteWebhookBody
  files: readonly SpooledFile[]
}

/**
 * Reads a request as integrations send it: JSON, or a form with the same fields or with JSON in the field `payload_json`.
 * A multipart form may also have files.
 * @throws ApiError 400 with a message that begins with the field
 */
export async function readExecution(
  request: FastifyRequest<{ Body: ExecuteWebhookBody }>,
): Promise<Execution> {
  if (isForm(request)) {
    const form = await readForm(request)
    try {
      return {
        body: bodyOf(form),
        files: form.files,
        [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
      }
    } catch (error) {
      await form[Symbol.asyncDispose]()
      throw error
    }
  }
  const body = isEncoded(request)
    ? bodyOf({ fields: fieldsOf(await readEncoded(request)) })
    : await readBody(request)
  return { body, files: [], [Symbol.asyncDispose]: async () => undefined }
}

/**
 * Reads a service's own payload: JSON, even with the content type of a form, or a form with JSON in the field `payload`.
 * @param check throws for bytes that must not be parsed
 * @throws ApiError 400 for invalid JSON
 */
export async function readPayload(
  request: FastifyRequest,
  check?: (bytes: Buffer) => void,
): Promise<Payload> {
  if (!isEncoded(request)) return new Payload(await readBody(request, check))
  const form = await readEncoded(request, check)
  // curl and Python's urllib send JSON with a form's content type by default. Slack accepts that as well.
  const payload = form.startsWith('{') ? form : fieldsOf(form).payload
  if (payload === undefined) throw new ApiError('invalid_request', 'payload is required')
  return new Payload(parseInput(Type.Unknown(), payload, 'payload'))
}

function bodyOf(form: Pick<Form, 'fields'>): ExecuteWebhookBody {
  const texts = readFields(ExecuteWebhookForm, form)
  return { ...texts, ...readJsonField(ExecuteWebhookBody, form, 'payload_json') }
}

function isEncoded({ mediaType }: FastifyRequest): boolean {
  return mediaType === 'application/x-www-form-urlencoded'
}

async function readEncoded(request: FastifyRequest, check?: (bytes: Buffer) => void): Promise<string> {
  const bytes = await readBytes(request)
  check?.(bytes)
  if (bytes.length > MAX_ENCODED_BYTES)
    throw new ApiError('invalid_request', 'the form is over 8 MiB: send it as JSON')
  if (!isUtf8(bytes)) throw new ApiError('invalid_request', 'the form must be UTF-8')
  return bytes.toString()
}

function fieldsOf(form: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(form))
  const bad = Object.keys(fields).find((name) => `${name}${fields[name]}`.includes('\0'))
  if (bad !== undefined) throw new ApiError('invalid_request', 'the form must not contain NUL')
  return fields
}
