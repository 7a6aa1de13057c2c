import type { S3Settings } from '#src/config.ts'
import { checkedKey } from './keys.ts'
import { StoreError } from './object-store.ts'
import { S3Signer } from './s3-signer.ts'

/** Valid names of buckets. The pattern also keeps a name from changing the host or the path of the URL. */
const BUCKET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Returns the address of a file's object. */
export function objectUrl(settings: S3Settings, key: string): URL {
  return bucketUrl(settings, checkedKey(key))
}

/**
 * Returns an address in a bucket, in a path below the endpoint's or on the bucket's own host.
 * @param path without a leading slash; empty for the bucket itself
 */
export function bucketUrl(settings: S3Settings, path: string): URL {
  const { bucketName, usePathStyle } = settings
  if (!BUCKET_NAME.test(bucketName)) throw new StoreError('refused', 'this is not a valid bucket name')
  const url = parsed(settings.endpoint)
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, '')
  url.pathname = `${prefix}${usePathStyle ? `/${bucketName}` : ''}/${path}`
  if (!usePathStyle) moveToBucketHost(url, bucketName)
  return url
}

function parsed(endpoint: string): URL {
  const url = URL.parse(endpoint)
  if (url === null) throw new StoreError('refused', 'the endpoint is not a valid address')
  url.search = ''
  url.hash = ''
  return url
}

/** Puts the bucket's name before the host. Assigning an invalid host name, such as one with an IP address, has no effect. */
function moveToBucketHost(url: URL, bucketName: string): void {
  const host = `${bucketName}.${url.hostname}`.toLowerCase()
  url.hostname = host
  if (url.hostname !== host)
    throw new StoreError(
      'refused',
      'this bucket and endpoint form no valid host name, use path-style addresses',
    )
}

/** Returns the headers of a signed request. The body, which may be a stream, is not signed. */
export async function signedHeaders(
  settings: S3Settings,
  request: { method: string; url: URL; headers: Record<string, string> },
): Promise<Record<string, string>> {
  const { headers } = await new S3Signer({
    ...request,
    url: request.url.href,
    ...credentialsOf(settings),
  }).sign()
  return Object.fromEntries(headers)
}

/**
 * Returns a URL for a request with exactly these headers.
 * @param request request whose URL includes the query parameters that set headers of the answer
 */
export async function presignedUrl(
  settings: S3Settings,
  request: { method: string; url: URL; headers: Record<string, string> },
  seconds: number,
): Promise<string> {
  const url = new URL(request.url)
  url.searchParams.set('X-Amz-Expires', `${seconds}`)
  const signing = { ...request, ...credentialsOf(settings), url: url.href, signQuery: true, allHeaders: true }
  const signed = await new S3Signer(signing).sign()
  return withStrictQuery(signed.url)
}

function credentialsOf({ accessKeyId, secretAccessKey, region }: S3Settings) {
  return { accessKeyId, secretAccessKey, region, service: 's3' }
}

/** Encodes the query as it was signed: URL writes a space as `+`, which some servers do not read as a space. */
function withStrictQuery(url: URL): string {
  const query = [...url.searchParams].map(([name, value]) => `${strict(name)}=${strict(value)}`)
  return `${url.origin}${url.pathname}?${query.join('&')}`
}

function strict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
