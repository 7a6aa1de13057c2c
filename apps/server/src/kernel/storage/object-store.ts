import type { Readable } from 'node:stream'

/** Bytes of a file, both ends included, as in a Range header. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a download is to look like to a browser. */
export interface DownloadLook {
  contentType: string
  filename: string
  /** Whether a browser may show it instead of saving it. */
  inline: boolean
}

export interface PresignedUpload {
  url: string
  method: 'PUT'
  /** To be sent exactly so. */
  headers: Record<string, string>
}

/** Exactly so many bytes, and what they are to be called. */
export interface StreamSource {
  sizeBytes: number
  contentType: string
  /** Begins anew each time it is called: a store may ask a second time. The pieces must be nobody else's. */
  open(): Promise<Readable>
}

/**
 * Where objects are kept, under keys that the server makes of ids: `<tenant id>/<attachment id>`, and
 * `incoming/<tenant id>/<attachment id>` for what is uploaded past the server. Every method throws a StoreError.
 */
export interface ObjectStore {
  /** Stores a local file whole or not at all, in the place of what was there. */
  put(key: string, file: { path: string; sizeBytes: number; contentType: string }): Promise<void>
  /** The bytes as a stream, which the caller reads to its end or destroys. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Size in bytes; undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>
  /** Stores what a stream holds as `put` does a file, without a copy on this machine. */
  putStream(key: string, source: StreamSource): Promise<void>
  /** Within the store, past the server's memory; replaces. */
  move(from: string, to: string): Promise<void>
  /** As moving, but what is copied stays. */
  copy(from: string, to: string): Promise<void>
  /** What is not there is no error. */
  delete(key: string): Promise<void>
  /** A URL to which GET answers with the object, with Range, until the time is over. */
  presignDownload(key: string, look: DownloadLook, seconds: number): Promise<string>
  /** A PUT that takes exactly so many bytes. */
  presignUpload(
    key: string,
    file: { sizeBytes: number; contentType: string },
    seconds: number,
  ): Promise<PresignedUpload>
}

/** `missing`: no such object; `full`: no room in the store; `disk_full`: none on the server's own disk; `refused`: wrong credentials or rights; `unreachable`: no or no useful answer. */
export type StoreFault = 'missing' | 'full' | 'disk_full' | 'refused' | 'unreachable'

/** A store did not do what it was asked to. The message says why, without secrets, for whoever manages the bucket. */
export class StoreError extends Error {
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
