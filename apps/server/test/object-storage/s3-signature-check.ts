import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface S3Keys {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const MAX_SKEW_MS = 15 * 60 * 1000

/**
 * Checks the signature of a request, in its headers or its URL. Returns the S3 error code, or undefined if it is
 * valid. Implements Amazon's "Signature Version 4" independently, so that it does not share mistakes with the code
 * that signs.
 */
export function signatureFault(request: IncomingMessage, keys: S3Keys): string | undefined {
  const { pathname, query } = partsOf(request)
  const presigned = query.get('X-Amz-Signature')
  const claim = presigned === undefined ? headerClaim(request) : queryClaim(query)
  if (claim === undefined) return 'AccessDenied'
  if (claim.credential[0] !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (claim.credential[2] !== keys.region) return 'AuthorizationHeaderMalformed'
  if (isOutOfTime(claim)) return 'AccessDenied'
  const canonical = [
    request.method,
    encodePath(pathname),
    canonicalQuery(query),
    ...claim.signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    claim.signedHeaders.join(';'),
    presigned === undefined ? request.headers['x-amz-content-sha256'] : 'UNSIGNED-PAYLOAD',
  ].join('\n')
  return claim.signature === signatureOf(canonical, claim, keys) ? undefined : 'SignatureDoesNotMatch'
}

interface Claim {
  /** Access key, date, region, service, `aws4_request`. */
  credential: string[]
  signedHeaders: string[]
  signature: string
  date: string
  /** Validity in seconds. Undefined for a signature in the headers. */
  seconds: number | undefined
}

function headerClaim({ headers }: IncomingMessage): Claim | undefined {
  const [, credential = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (signature === '') return undefined
  return {
    credential: credential.split('/'),
    signedHeaders: signedHeaders.split(';'),
    signature,
    date: String(headers['x-amz-date']),
    seconds: undefined,
  }
}

function queryClaim(query: Map<string, string>): Claim {
  const field = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  return {
    credential: field('Credential').split('/'),
    signedHeaders: field('SignedHeaders').split(';'),
    signature: field('Signature'),
    date: field('Date'),
    seconds: Number(field('Expires')),
  }
}

function isOutOfTime({ date, seconds }: Claim): boolean {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const [year = 0, month = 0, day, hour, minute, second] = parts.map(Number)
  const signedAt = Date.UTC(year, month - 1, day, hour, minute, second)
  const age = Date.now() - signedAt
  return !(age > -MAX_SKEW_MS && age < (seconds === undefined ? MAX_SKEW_MS : seconds * 1000))
}

function partsOf({ url = '' }: IncomingMessage): { pathname: string; query: Map<string, string> } {
  const [pathname = '', search = ''] = url.split('?')
  const fields = search.split('&').filter((field) => field !== '')
  const query = fields.map((field) => {
    const [name = '', value = ''] = field.split('=')
    return [decodeURIComponent(name), decodeURIComponent(value)] as const
  })
  return { pathname: decodeURIComponent(pathname), query: new Map(query) }
}

function canonicalQuery(query: Map<string, string>): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
}

function encodePath(pathname: string): string {
  return pathname.split('/').map(encode).join('/')
}

function encode(text: string): string {
  const special = /[!'()*]/g
  return encodeURIComponent(text).replace(
    special,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function signatureOf(canonical: string, { credential, date }: Claim, { secretAccessKey }: S3Keys): string {
  const scope = credential.slice(1)
  const digest = createHash('sha256').update(canonical).digest('hex')
  const key = scope.reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n')).toString('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
