import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '#src/kernel/errors.ts'
import { dispositionOf } from '#src/kernel/media/disposition.ts'
import { essenceOf, isInlineSafe } from '#src/kernel/media/inline.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'

export interface MediaDeps {
  outgoing: Outgoing
}

export interface MediaRequest {
  method: string
  url: URL
  /** The client's headers, of which only the range is forwarded. */
  headers: IncomingHttpHeaders
  signal: AbortSignal
}

export interface ProxiedMedia {
  status: number
  headers: Record<string, string>
  body: Readable
}

const SILENCE_MS = 15_000
const MAX_BYTES = 4 * 1024 ** 3
const MAX_REDIRECTS = 3

/**
 * Requests a video or sound, or a single range of it.
 * @throws ApiError 416 if its host answers 416, 502 for a file that is unavailable, or neither video nor sound
 */
export async function fetchMedia({ outgoing }: MediaDeps, request: MediaRequest): Promise<ProxiedMedia> {
  const answer = await ask(outgoing, request).catch((error: unknown) => {
    throw error instanceof OutgoingError ? new ApiError('media_unreachable') : error
  })
  try {
    const headers = headersOf(answer)
    return { status: answer.status, headers, body: answer.body }
  } catch (error) {
    answer.body.destroy()
    throw error
  }
}

function ask(outgoing: Outgoing, { method, url, headers, signal }: MediaRequest): Promise<OutgoingResponse> {
  return outgoing.send({
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    url,
    headers: { ...askingFor('video/*, audio/*'), ...rangeOf(headers) },
    timeoutMs: SILENCE_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
    signal,
  })
}

/** Returns the headers that request a single range. Several ranges are not requested: their answer would not be a video. */
function rangeOf({ range = '', 'if-range': condition }: IncomingHttpHeaders): Record<string, string> {
  if (!/^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range)) return {}
  return typeof condition === 'string' ? { range, 'if-range': condition } : { range }
}

/** Headers that a player needs, with their valid form. No other header is passed on. */
const PASSED: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d{1,15}$/,
  'content-range': /^bytes (?:\d{1,15}-\d{1,15}|\*)\/(?:\d{1,15}|\*)$/,
  'accept-ranges': /^bytes$/,
  etag: /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/,
  'last-modified': /^[\w,: +-]{1,40}$/,
}

function headersOf({ status, headers, url }: OutgoingResponse): Record<string, string> {
  const passed = Object.fromEntries(
    Object.entries(PASSED).flatMap(([name, pattern]) => {
      const value = headers[name] ?? ''
      return pattern.test(value) ? [[name, value]] : []
    }),
  )
  const range = passed['content-range']
  if (status === 416)
    throw new ApiError(
      'range_not_satisfiable',
      undefined,
      range === undefined ? {} : { 'content-range': range },
    )
  const contentType = essenceOf(headers['content-type'] ?? '')
  const isMedia = /^(?:video|audio)\/[\w.+-]{1,100}$/.test(contentType)
  const isWhole = status === 200 || (status === 206 && range !== undefined)
  const isPlain = ['', 'identity'].includes(headers['content-encoding'] ?? '')
  if (!isWhole || !isMedia || !isPlain) throw new ApiError('media_unreachable')
  const look = { filename: nameIn(url), inline: isInlineSafe(contentType) }
  return { ...passed, 'content-type': contentType, 'content-disposition': dispositionOf(look) }
}

function nameIn({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  return last === '' ? 'media' : last.slice(0, 100)
}
