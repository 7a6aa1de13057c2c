import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '#src/config.ts'
import type { StoredObjects } from './file-consistency.ts'

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'

/** Replaces the usual handling of a request. */
export type Fault = (exchange: Exchange) => void | Promise<void>

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  storage: BreakableStorage
  key: string
  /** Handles the request as usual. */
  serve(): Promise<void>
}

const BUCKET = 'breakable'

/**
 * In-memory S3 server with the operations that the server uses. It fails on demand. It does not check signatures: the
 * tests of the stores do that.
 */
export class BreakableStorage {
  readonly objects = new Map<string, Buffer>()
  /** Requests like `PUT key`, in the order they arrived. */
  readonly requests: string[] = []
  /** Faults by HTTP method. */
  readonly faults = new Map<string, Fault>()
  /** Maximum names in a page of a listing. */
  pageNames = 1000
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#take(request, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<BreakableStorage> {
    const storage = new BreakableStorage()
    storage.#server.listen(0, '127.0.0.1')
    await once(storage.#server, 'listening')
    return storage
  }

  get settings(): S3Settings {
    const address = this.#server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucketName: BUCKET,
      accessKeyId: 'access',
      secretAccessKey: 'secret',
      usePathStyle: true,
    }
  }

  /** Applies the fault to all later requests with these methods. */
  break(fault: Fault, methods: readonly Method[] = ['GET', 'HEAD', 'PUT', 'DELETE']): void {
    for (const method of methods) this.faults.set(method, fault)
  }

  mend(): void {
    this.faults.clear()
  }

  list(): StoredObjects {
    return new Map([...this.objects].map(([key, bytes]) => [key, bytes.length]))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const path = decodeURIComponent(url.split('?')[0] ?? '')
    const key = path.slice(`/${BUCKET}/`.length)
    this.requests.push(`${method} ${key}`)
    const query = new URLSearchParams(url.split('?')[1])
    const isListing = query.get('list-type') === '2'
    const serve = isListing
      ? async () => this.#sendListing(query, response)
      : () => this.#serve(key, request, response)
    const fault = this.faults.get(method)
    await (fault === undefined ? serve() : fault({ request, response, storage: this, key, serve }))
  }

  async #serve(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'PUT') return this.#put(key, request, response)
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      response.writeHead(204).end()
      return
    }
    const bytes = this.objects.get(key)
    if (bytes === undefined) refuse(404, 'NoSuchKey')({ request, response, storage: this, key, serve })
    else this.#send(bytes, request, response)
  }

  async #put(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const source = request.headers['x-amz-copy-source']
    const sent = await buffer(request)
    const from = decodeURIComponent(String(source)).slice(`/${BUCKET}/`.length)
    const bytes = source === undefined ? sent : this.objects.get(from)
    if (bytes === undefined) return refuse(404, 'NoSuchKey')({ request, response, storage: this, key, serve })
    this.objects.set(key, bytes)
    response.writeHead(200).end(source === undefined ? '' : '<CopyObjectResult></CopyObjectResult>')
  }

  /** The continuation token is the number of names before the page, and a `&`, which XML escapes. */
  #sendListing(query: URLSearchParams, response: ServerResponse): void {
    const start = Number((query.get('continuation-token') ?? '0&').replace('&', ''))
    const found = [...this.objects].filter(([key]) => key.startsWith(query.get('prefix') ?? ''))
    const page = found.slice(start, start + this.pageNames)
    const entries = page.map(
      ([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`,
    )
    const end = start + page.length
    const next = `<NextContinuationToken>${end}&amp;</NextContinuationToken>`
    const isTruncated = end < found.length
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ''}${entries.join('')}</ListBucketResult>`,
    )
  }

  #send(bytes: Buffer, { headers, method }: IncomingMessage, response: ServerResponse): void {
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')
    const [, first = '0', last = ''] = range ?? []
    const part = bytes.subarray(Number(first), last === '' ? bytes.length : Number(last) + 1)
    response.writeHead(range === null ? 200 : 206, { 'content-length': part.length })
    response.end(method === 'HEAD' ? undefined : part)
  }
}

async function serve(): Promise<void> {}

/** Returns a fault that answers with an S3 error document. */
export function refuse(status: number, code: string): (exchange: Exchange) => void {
  return ({ request, response }) => {
    request.resume()
    response.writeHead(status, { connection: 'close' }).end(`<Error><Code>${code}</Code></Error>`)
  }
}

/** Answers like S3 after a change of the secret key. */
export const refuseSignature = refuse(403, 'SignatureDoesNotMatch')
export const refuseForRoom = refuse(507, 'InsufficientCapacity')
export const fail = refuse(500, 'InternalError')

/** Never answers. */
export const hang: Fault = ({ request }) => {
  request.resume()
}

/** Closes the connection without an answer. */
export const breakOff: Fault = ({ request }) => {
  request.socket.destroy()
}

/** Serves the first request and applies the fault to all later ones. */
export function onceOnly(fault: Fault): Fault {
  let count = 0
  return (exchange) => {
    count += 1
    return count === 1 ? exchange.serve() : fault(exchange)
  }
}

/** Performs the request, then closes the connection without an answer. */
export const loseAnswer: Fault = async ({ response, serve }) => {
  Object.assign(response, { end: () => response.destroy() })
  await serve()
}
