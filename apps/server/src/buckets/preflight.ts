import type { ApiError } from '#src/kernel/errors.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import type { ObjectStore, PresignedUpload } from '#src/kernel/storage/object-store.ts'
import { invalidStorage } from './settings.ts'

const TIMEOUT_MS = 5000

interface Preflight {
  key: string
  origin: string
  seconds: number
}

/**
 * Asks, as a browser does, whether a page of ours may upload past the server.
 * @throws ApiError 400 that tells which rule the bucket lacks
 */
export async function checkPreflight(
  outgoing: Outgoing,
  store: ObjectStore,
  { key, origin, seconds }: Preflight,
): Promise<void> {
  const upload = await store.presignUpload(key, { sizeBytes: 1, contentType: 'text/plain' }, seconds)
  const answer = await ask(outgoing, upload, origin)
  answer.body.destroy()
  if (!isGranted(answer, upload, origin))
    throw invalidStorage(
      `its CORS rules must allow PUT with the headers ${headersOf(upload)} from the origin ${origin}`,
    )
}

async function ask(outgoing: Outgoing, upload: PresignedUpload, origin: string): Promise<OutgoingResponse> {
  const headers = {
    origin,
    'access-control-request-method': upload.method,
    'access-control-request-headers': headersOf(upload),
  }
  try {
    return await outgoing.send({
      method: 'OPTIONS',
      url: new URL(upload.url),
      headers,
      timeoutMs: TIMEOUT_MS,
    })
  } catch (error) {
    if (error instanceof OutgoingError) throw unanswered(error)
    throw error
  }
}

/**
 * Explains why there is no answer, in the same words wherever there can be none: else anybody with a space could ask which names
 * and addresses the server's network has.
 */
export function unanswered({ reason, message }: OutgoingError): ApiError {
  const isUnreached = reason === 'blocked' || reason === 'unreachable'
  return invalidStorage(isUnreached ? 'the endpoint could not be reached' : message)
}

function isGranted({ status, headers }: OutgoingResponse, upload: PresignedUpload, origin: string): boolean {
  const origins = headers['access-control-allow-origin']
  const methods = listIn(headers['access-control-allow-methods'])
  const allowed = listIn(headers['access-control-allow-headers'])
  return (
    status >= 200 &&
    status < 300 &&
    (origins === '*' || origins === origin) &&
    (methods.has('*') || methods.has(upload.method.toLowerCase())) &&
    (allowed.has('*') || [...listIn(headersOf(upload))].every((name) => allowed.has(name)))
  )
}

/** Those that a browser asks about; its length it states by itself. */
function headersOf({ headers }: PresignedUpload): string {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return names.filter((name) => name !== 'content-length' && name !== 'host').join(',')
}

function listIn(header = ''): Set<string> {
  return new Set(header.split(',').map((entry) => entry.trim().toLowerCase()))
}
