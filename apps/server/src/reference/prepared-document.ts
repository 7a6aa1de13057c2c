import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '#src/kernel/http/encodings.ts'
import { isKnownTag } from '#src/kernel/http/etags.ts'

interface Bodies {
  /** A weak ETag, because all encodings share it. */
  etag: string
  byEncoding: Record<Encoding, Buffer>
}

/** Compresses nearly as well as the best quality, in a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
/** The document only changes with the server's version. */
const CACHE_CONTROL = 'public, max-age=300'

/** A long document that is built, compressed and hashed once: by `prepare`, or on its first request. */
export class PreparedDocument {
  readonly #make: () => string
  #bodies: Promise<Bodies> | undefined

  constructor(make: () => string) {
    this.#make = make
  }

  async prepare(): Promise<Bodies> {
    this.#bodies ??= prepare(this.#make)
    return this.#bodies
  }

  /** Sends the document, or 304 if the client already has it. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { etag, byEncoding } = await this.prepare()
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': CACHE_CONTROL })
    if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(byEncoding[encoding])
  }
}

async function prepare(make: () => string): Promise<Bodies> {
  const identity = Buffer.from(make())
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI),
    promisify(gzip)(identity),
  ])
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`
  return { etag, byEncoding: { br, gzip: zipped, identity } }
}
