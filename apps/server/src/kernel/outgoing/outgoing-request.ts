import type { Readable } from 'node:stream'

export interface OutgoingRequest {
  method: string
  url: URL
  headers?: Record<string, string>
  body?: Readable | Buffer
  /** Until the headers of each answer, as long as no body is going out; and no silence is longer than it afterwards. */
  timeoutMs: number
  /** Of the answer's body. */
  maxBytes?: number
  /** 0, the default, makes a redirect the answer. */
  maxRedirects?: number
  signal?: AbortSignal
}

export interface OutgoingResponse {
  status: number
  headers: Record<string, string>
  /** To be read to its end or destroyed. Fails with an OutgoingError. */
  body: Readable
  /** Where the answer came from, after redirects. */
  url: URL
}
