import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { S3Settings } from '#src/config.ts'
import { S3_HOST } from './ceph-config.ts'
import { signatureFault } from './s3-signature-check.ts'

/**
 * Faults: an error document, no answer, a connection closed before the answer (`drop`), or closed in the middle of an
 * upload (`break-up`) or a download (`break-down`). `flood` sends 64 MiB more than the object has. `trickle` sends an
 * error that never ends.
 */
export type FakeFault =
  | { status: number; code: string }
  | 'silence'
  | 'drop'
  | 'break-up'
  | 'break-down'
  | 'flood'
  | 'trickle'

interface FakeObject {
  bytes: Buffer
  contentType: string
}

const BUCKET = 'a-bucket'
const ACCESS_KEY_ID = 'AKIAFAKE'
const FLOOD = Buffer.alloc(64 * 1024)
const FLOOD_BYTES = 64 * 1024 * 1024

/** Small S3 server with one bucket that fails on demand. Objects are kept in memory. */
export class FakeS3 {
  /** Objects by key. */
  readonly objects = new Map<string, FakeObject>()
  /** Method and URL of every request, in order. */
  readonly requests: string[] = []
  /** Assign another value to simulate a key rotation. */
  secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYFAKEKEY'
  /** Origin whose pages may use the bucket (CORS). */
  allowedOrigin: string | undefined
  /** Leaves preflight requests of browsers unanswered. */
  ignoresPreflights = false
  readonly #server: Server
  readonly #port: number
  #fault: FakeFault | undefined
  #faultsLeft = 0

  constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
    server.on('request', (request, response) => this.#answer(request, response))
  }

  /** Returns the settings of the bucket. */
  settings(usePathStyle = true): S3Settings {
    return {
      endpoint: `http://${usePathStyle ? '127.0.0.1' : S3_HOST}:${this.#port}`,
      region: 'eu-fake-1',
      bucketName: BUCKET,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: this.secretAccessKey,
      usePathStyle,
    }
  }

  /** Makes the next requests fail. */
  fail(fault: FakeFault, times = Number.POSITIVE_INFINITY): void {
    this.#fault = fault
    this.#faultsLeft = times
  }

  heal(): void {
    this.#faultsLeft = 0
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request
    this.requests.push(`${method} ${url}`)
    this.#allowCors(request, response)
    const fault = this.#faultsLeft > 0 && method !== 'OPTIONS' ? this.#fault : undefined
    this.#faultsLeft -= 1
    if (fault !== undefined && fails(fault, request, response)) return
    if (method === 'OPTIONS' && this.ignoresPreflights) return
    if (method === 'OPTIONS') return void response.writeHead(this.allowedOrigin ? 200 : 403).end()
    const keys = { ...this.settings(), secretAccessKey: this.secretAccessKey }
    const refusal = signatureFault(request, keys)
    if (refusal !== undefined) return answerError(response, 403, refusal)
    const place = placeOf(request)
    if (place.bucket !== BUCKET) return answerError(response, 404, 'NoSuchBucket')
    if (method === 'PUT') return void this.#put(request, response, place.key)
    if (method === 'DELETE') {
      this.objects.delete(place.key)
      return void response.writeHead(204).end()
    }
    const object = this.objects.get(place.key)
    if (object === undefined) return answerError(response, 404, 'NoSuchKey')
    sendObject(request, response, { object, fault })
  }

  async #put(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const { 'x-amz-copy-source': source, 'content-length': length, 'content-type': type } = request.headers
    if (source !== undefined) return this.#copy(decodeURIComponent(String(source)), response, key)
    if (length === undefined) return answerError(response, 411, 'MissingContentLength')
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    this.objects.set(key, { bytes: Buffer.concat(chunks), contentType: type ?? '' })
    response.writeHead(200, { etag: '"fake"' }).end()
  }

  #copy(source: string, response: ServerResponse, key: string): void {
    const object = this.objects.get(source.slice(`/${BUCKET}/`.length))
    if (!source.startsWith(`/${BUCKET}/`) || object === undefined)
      return answerError(response, 404, 'NoSuchKey')
    this.objects.set(key, object)
    response.writeHead(200).end('<CopyObjectResult><ETag>"fake"</ETag></CopyObjectResult>')
  }

  #allowCors({ headers }: IncomingMessage, response: ServerResponse): void {
    if (this.allowedOrigin === undefined || headers.origin !== this.allowedOrigin) return
    response.setHeader('access-control-allow-origin', this.allowedOrigin)
    response.setHeader('access-control-allow-methods', 'GET, PUT')
    response.setHeader('access-control-allow-headers', 'content-type')
  }
}

export async function startFakeS3(): Promise<FakeS3> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
  return new FakeS3(server, address.port)
}

/** Applies the fault. Returns true if the request needs no other answer. */
function fails(fault: FakeFault, request: IncomingMessage, response: ServerResponse): boolean {
  if (fault === 'break-down' || fault === 'flood') return false
  if (typeof fault === 'object') answerError(response, fault.status, fault.code)
  else if (fault === 'drop') request.socket.destroy()
  else if (fault === 'break-up') breakUp(request)
  else if (fault === 'trickle') trickle(response)
  return true
}

/** Sends an error that never ends. */
function trickle(response: ServerResponse): void {
  response.writeHead(403)
  const dripping = setInterval(() => response.write(' '), 10)
  response.once('close', () => clearInterval(dripping))
}

function breakUp(request: IncomingMessage): void {
  const destroy = () => request.socket.destroy()
  request.once('data', destroy).once('end', destroy)
}

function answerError(response: ServerResponse, status: number, code: string): void {
  const document = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(document)
}

function placeOf({ url = '', headers }: IncomingMessage): { bucket: string; key: string } {
  const path = decodeURIComponent(url.split('?')[0] ?? '').slice(1)
  const host = headers.host?.split(':')[0] ?? ''
  if (host.endsWith(`.${S3_HOST}`)) return { bucket: host.slice(0, -S3_HOST.length - 1), key: path }
  const [bucket = ''] = path.split('/')
  return { bucket, key: path.slice(bucket.length + 1) }
}

function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { object: { bytes, contentType }, fault }: { object: FakeObject; fault: FakeFault | undefined },
): void {
  const query = new URLSearchParams(request.url?.split('?')[1])
  const range = rangeIn(request.headers.range, bytes.length)
  if (range !== undefined && range.start >= bytes.length) return answerError(response, 416, 'InvalidRange')
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  const isFlooded = fault === 'flood' && request.method === 'GET'
  const disposition = query.get('response-content-disposition')
  response.writeHead(range === undefined ? 200 : 206, {
    ...(isFlooded ? {} : { 'content-length': part.length }),
    'content-type': query.get('response-content-type') ?? contentType,
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${bytes.length}` }),
  })
  if (request.method === 'HEAD') response.end()
  else if (isFlooded) Readable.from(flood(part)).pipe(response)
  else if (fault === 'break-down')
    response.write(part.subarray(0, part.length / 2), () => request.socket.destroy())
  else response.end(part)
}

function* flood(part: Buffer): Generator<Buffer> {
  if (part.length > 0) yield part
  for (let more = 0; more < FLOOD_BYTES; more += FLOOD.length) yield FLOOD
}

function rangeIn(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined) return undefined
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size - 1 }
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
