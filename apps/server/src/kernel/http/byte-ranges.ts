import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.ts'
import type { ByteRange } from '../storage/object-store.ts'
import { isKnownTag } from './etags.ts'

/** A file with an ETag that changes whenever its content does. */
export interface TaggedFile {
  /** The ETag, including its quotation marks. */
  etag: string
  sizeBytes: number
}

export interface DownloadPlan {
  status: 200 | 206 | 304
  /** Undefined for the whole file, and for a 304. */
  range: ByteRange | undefined
  headers: Record<string, string>
}

/**
 * Plans the answer to a GET of a file by RFC 9110: 304, one range, or the whole file.
 * @throws ApiError 416 for a range that begins past the end
 */
export function planDownload(headers: IncomingHttpHeaders, file: TaggedFile): DownloadPlan {
  const { etag, sizeBytes } = file
  const fixed = { etag, 'accept-ranges': 'bytes' }
  if (isKnownTag(headers['if-none-match'], etag)) return { status: 304, range: undefined, headers: fixed }
  const condition = headers['if-range']
  const isSame = condition === undefined || condition === etag
  const range = isSame ? rangeOf(headers.range, sizeBytes) : undefined
  if (range === undefined)
    return { status: 200, range, headers: { ...fixed, 'content-length': `${sizeBytes}` } }
  const length = range.end - range.start + 1
  const contentRange = `bytes ${range.start}-${range.end}/${sizeBytes}`
  return {
    status: 206,
    range,
    headers: { ...fixed, 'content-length': `${length}`, 'content-range': contentRange },
  }
}

/** Returns the requested range; undefined for the whole file. Ignores a list of ranges and an invalid range, as RFC 9110 allows. */
function rangeOf(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start >= sizeBytes)
    throw new ApiError('range_not_satisfiable', undefined, { 'content-range': `bytes */${sizeBytes}` })
  return { start, end }
}
