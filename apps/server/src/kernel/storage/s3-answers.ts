import type { Readable } from 'node:stream'
import { StoreError, type StoreFault } from './object-store.ts'

/** What an S3 server answered when it did not do as asked. */
export interface S3Refusal {
  status: number
  /** Of the error document; HEAD has none. */
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
/** Servers that write one are thousands of times smaller; what is longer is none. */
export const MAX_DOCUMENT_BYTES = 64 * 1024

export function faultOf({ status, code }: S3Refusal, method: string): StoreFault {
  if (method === 'HEAD' && status === 404) return 'missing'
  return FAULTS_OF_CODES[code ?? ''] ?? FAULTS_OF_STATUSES[status] ?? 'unreachable'
}

/** Tells the status and S3's name for the error: the rest of the document may quote what was signed. */
export function storeErrorOf(refusal: S3Refusal, method: string): StoreError {
  const { status, code } = refusal
  const answer = code === undefined ? `${status}` : `${status} ${code}`
  return new StoreError(faultOf(refusal, method), `the storage answered ${answer}`)
}

/** The code of an error document, of which S3 also makes some under a status of success. */
export function errorCodeIn(document: string): string | undefined {
  const start = document.indexOf('<Error>')
  const [, code] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(document.slice(start)) ?? []
  return start < 0 ? undefined : code
}

/** The rest of a short answer, which a server that trickles would never end. */
const DOCUMENT_TIMEOUT_MS = 20_000

/** A short document; what is not one, breaks off or takes too long is empty. */
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
