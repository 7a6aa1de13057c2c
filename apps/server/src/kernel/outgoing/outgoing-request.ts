import type { Readable } from 'node:stream'

export interface OutgoingRequest {
  method: string
  url: URL
  headers?: Record<string, string>
  body?: Readable | Buffer
  /** Longest time in which no data is sent or received: before the headers of each answer, and within its body. */
  timeoutMs: number
  /** Limit of the answer's body. */
  maxBytes?: number
  /** 0 (default) returns a redirect as the answer. */
  maxRedirects?: number
  signal?: AbortSignal
}

export interface OutgoingResponse {
  status: number
  headers: Record<string, string>
  /** Must be read to its end or destroyed. Fails with an OutgoingError. */
  body: Readable
  /** The address of the answer, after redirects. */
  url: URL
}
