import type { Readable } from 'node:stream'
import { StoreError, type StoreFault } from './object-store.ts'

/** An error answer of an S3 server. */
export interface S3Refusal {
  status: number
  /** Code of the error document; HEAD has none. */
  code: string | undefined
}

const FAULTS_OF_CODES: Record<string, StoreFault> = {
  NoSuchKey: 'missing',
  InvalidRange: 'missing',
  NoSuchBucket: 'refused',
  AccessDenied: 'refused',
  AccountProblem: 'refused',
  AllAccessDisabled: 'refused',
  AuthorizationHeaderMalformed: 'refused',
  ExpiredToken: 'refused',
  InvalidAccessKeyId: 'refused',
  InvalidBucketName: 'refused',
  InvalidToken: 'refused',
  MethodNotAllowed: 'refused',
  NotSignedUp: 'refused',
  RequestTimeTooSkewed: 'refused',
  SignatureDoesNotMatch: 'refused',
  EntityTooLarge: 'full',
  InsufficientCapacity: 'full',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
}
const FAULTS_OF_STATUSES: Record<number, StoreFault> = {
  401: 'refused',
  403: 'refused',
  405: 'refused',
  413: 'full',
  416: 'missing',
  507: 'full',
}
/** Maximum bytes of an error document. Real error documents are far smaller, so a longer answer is something else. */
export const MAX_DOCUMENT_BYTES = 64 * 1024

export function faultOf({ status, code }: S3Refusal, method: string): StoreFault {
  if (method === 'HEAD' && status === 404) return 'missing'
  return FAULTS_OF_CODES[code ?? ''] ?? FAULTS_OF_STATUSES[status] ?? 'unreachable'
}

/** Reports only the status and S3's error code: the rest of the document may quote signed parts. */
export function storeErrorOf(refusal: S3Refusal, method: string): StoreError {
  const { status, code } = refusal
  const answer = code === undefined ? `${status}` : `${status} ${code}`
  return new StoreError(faultOf(refusal, method), `the storage answered ${answer}`)
}

/** Returns the code of an error document, which S3 may also send with a status of success. */
export function errorCodeIn(document: string): string | undefined {
  const start = document.indexOf('<Error>')
  const [, code] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(document.slice(start)) ?? []
  return start < 0 ? undefined : code
}

/** Time for the rest of a short answer, because a slow server might never end it. */
const DOCUMENT_TIMEOUT_MS = 20_000

/** Reads a short document. Returns an empty text if it is longer than MAX_DOCUMENT_BYTES, breaks off or takes too long. */
export async function readDocument(body: Readable, timeoutMs = DOCUMENT_TIMEOUT_MS): Promise<string> {
  const deadline = setTimeout(() => body.destroy(), timeoutMs)
  try {
    return await readShort(body)
  } catch {
    return ''
  } finally {
    clearTimeout(deadline)
  }
}

async function readShort(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_DOCUMENT_BYTES) return ''
  }
  return Buffer.concat(chunks).toString()
}
