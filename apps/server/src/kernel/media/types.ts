import { isUtf8 } from 'node:buffer'
import { fileTypeFromBuffer } from 'file-type'
import { type ByteSource, readHead } from './byte-source.ts'
import { essenceOf } from './inline.ts'

const HEAD_BYTES = 256 * 1024
const TEXT_CHUNK_BYTES = 1024 * 1024

/** Less common names of types, with the names that browsers know. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
}

/** Returns the type that the file's content shows, or else the claimed type if it is plausible. */
export async function typeOf(source: ByteSource, claimedType: string): Promise<string> {
  const claimed = essenceOf(claimedType)
  const detected = source.sizeBytes === 0 ? undefined : await detect(source)
  if (detected !== undefined && !isTextual(detected)) return detected
  const isMedia = /^(?:image|video|audio)\//.test(claimed)
  if (await isText(source)) return isMedia ? 'text/plain' : claimed
  return isMedia || isTextual(claimed) ? 'application/octet-stream' : claimed
}

export function isMeasurable(contentType: string): boolean {
  return contentType.startsWith('video/') || contentType.startsWith('audio/')
}

async function detect(source: ByteSource): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(await readHead(source, HEAD_BYTES))
  if (found === undefined) return undefined
  const type = essenceOf(found.mime)
  return USUAL_NAMES[type] ?? type
}

/** Returns true for textual types. For these, the sender's type counts: an XML document may be called plain text. */
function isTextual(contentType: string): boolean {
  return contentType.startsWith('text/') || /[/+](?:xml|rtf|json)$/.test(contentType)
}

/** Returns whether a local file, or the beginning of a remote one, is UTF-8 without NUL. */
async function isText(source: ByteSource): Promise<boolean> {
  if (source.isRemote) return isTextHead(await readHead(source, HEAD_BYTES), source.sizeBytes)
  const reader = new TextReader()
  let isSoFar = true
  for (let at = 0; isSoFar && at < source.sizeBytes; at += TEXT_CHUNK_BYTES)
    isSoFar = reader.take(await source.read(at, Math.min(at + TEXT_CHUNK_BYTES, source.sizeBytes)))
  return isSoFar && reader.end()
}

class TextReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  /** Returns whether the file may still be text after this chunk. */
  take(chunk: Uint8Array): boolean {
    try {
      this.#decoder.decode(chunk, { stream: true })
      return !chunk.includes(0)
    } catch {
      return false
    }
  }

  /** Returns false if the file ends in the middle of a character. */
  end(): boolean {
    try {
      this.#decoder.decode()
      return true
    } catch {
      return false
    }
  }
}

/** Returns whether a head is text. Unless it is the whole file, it may end in the middle of a character. */
function isTextHead(head: Uint8Array, sizeBytes: number): boolean {
  if (head.includes(0)) return false
  const cuts = head.length < sizeBytes ? [0, 1, 2, 3] : [0]
  return cuts.some((cut) => isUtf8(head.subarray(0, head.length - cut)))
}
