import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Bytes at the beginning that may declare the page's encoding. */
const HEAD_BYTES = 1024
/** Characters of a Content-Type header that are read. A server may send 16 KiB. */
const MAX_TYPE_LENGTH = 256

/**
 * Decodes a response body; undefined for an encoding that was not requested. The caller limits the size: decoding stops
 * when the caller stops reading.
 */
export function decoded(body: Readable, encoding: string): Readable | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined
  if (decoder === undefined) return undefined
  // The caller gets an error of the body from the decoder. Destroying the decoder also destroys the body.
  pipeline(body, decoder, () => undefined)
  return decoder
}

/** Decodes truncated data as far as possible. */
const cut = { finishFlush: constants.Z_SYNC_FLUSH }
const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(cut),
  'x-gzip': () => createGunzip(cut),
  deflate: () => createInflate(cut),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/**
 * Yields a page's text in the character set of its byte order mark, its header or its beginning.
 * @throws the error of reading the bytes, after the text read so far
 */
export async function* textOf(
  bytes: AsyncIterable<Buffer>,
  contentType: string,
): AsyncGenerator<string, void, undefined> {
  const reading = bytes[Symbol.asyncIterator]()
  const { head, failure } = await readHead(reading)
  const decoder = decoderFor(head, contentType)
  yield decoder.decode(head, { stream: true })
  if (failure !== undefined) throw failure.error
  for await (const chunk of { [Symbol.asyncIterator]: () => reading })
    yield decoder.decode(chunk, { stream: true })
}

interface Head {
  head: Buffer
  /** The error that ended reading early. */
  failure?: { error: unknown }
}

async function readHead(reading: AsyncIterator<Buffer>): Promise<Head> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD_BYTES) {
    const { bytes, ...end } = await readPart(reading)
    if (bytes === undefined) return { head, ...end }
    head = Buffer.concat([head, bytes])
  }
  return { head }
}

async function readPart(reading: AsyncIterator<Buffer>): Promise<{ bytes?: Buffer } & Omit<Head, 'head'>> {
  try {
    const { done, value } = await reading.next()
    return done === true ? {} : { bytes: value }
  } catch (error) {
    return { failure: { error } }
  }
}

function decoderFor(head: Buffer, contentType: string): TextDecoder {
  const named = [markOf(head), labelIn(contentType.slice(0, MAX_TYPE_LENGTH)), labelInside(head)]
  for (const label of named) {
    const decoder = label === undefined ? undefined : openDecoder(label)
    if (decoder !== undefined) return decoder
  }
  return new TextDecoder('utf-8')
}

function markOf(head: Buffer): string | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8'
  if (head.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le'
  if (head.subarray(0, 2).equals(Buffer.from([0xfe, 0xff]))) return 'utf-16be'
  return undefined
}

/** Returns the declared character set. A declaration readable as ASCII is not UTF-16, so `utf-16` counts as UTF-8. */
function labelInside(head: Buffer): string | undefined {
  const label = labelIn(head.toString('latin1', 0, HEAD_BYTES))
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Returns the named character set. The pattern has no two adjacent runs of blanks, which could take quadratic time. */
function labelIn(text: string): string | undefined {
  const [, label] = /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i.exec(text) ?? []
  return label
}

/** Returns undefined for an unknown set. Invalid bytes are replaced. */
function openDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
