import type { Readable } from 'node:stream'

/** Bytes of a file, both ends included, as in a Range header. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** How a browser presents a download. */
export interface DownloadLook {
  contentType: string
  filename: string
  /** True if a browser may show it instead of saving it. */
  inline: boolean
}

export interface PresignedUpload {
  url: string
  method: 'PUT'
  /** Headers that the client must send exactly as given. */
  headers: Record<string, string>
}

/** A stream of known length, and its type. */
export interface StreamSource {
  sizeBytes: number
  contentType: string
  /** Starts from the beginning on each call, because a store may retry. The store owns the pieces. */
  open(): Promise<Readable>
}

/**
 * Stores objects under keys that the server makes of ids: `<tenant id>/<attachment id>`, and `incoming/<tenant
 * id>/<attachment id>` for direct uploads. All methods throw StoreErrors.
 */
export interface ObjectStore {
  /** Stores a local file, whole or not at all, replacing an existing object. */
  put(key: string, file: { path: string; sizeBytes: number; contentType: string }): Promise<void>
  /** Returns the bytes as a stream, which the caller reads to its end or destroys. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Returns the size in bytes; undefined if there is no such object. */
  sizeOf(key: string): Promise<number | undefined>
  /** Stores a stream like `put` does a file, without a copy on this machine. */
  putStream(key: string, source: StreamSource): Promise<void>
  /** Moves within the store, without passing through the server's memory; replaces an existing object. */
  move(from: string, to: string): Promise<void>
  /** Copies like `move`, and keeps the original. */
  copy(from: string, to: string): Promise<void>
  /** Deletes an object, without an error if there is none. */
  delete(key: string): Promise<void>
  /** Returns a URL that allows GET of the object, also with Range, for the given seconds. */
  presignDownload(key: string, look: DownloadLook, seconds: number): Promise<string>
  /** Returns a signed PUT request for exactly this many bytes. */
  presignUpload(
    key: string,
    file: { sizeBytes: number; contentType: string },
    seconds: number,
  ): Promise<PresignedUpload>
}

/**
 * `missing`: no such object; `full`: no space in the store; `disk_full`: no space on the server's own disk;
 * `refused`: wrong credentials or rights; `unreachable`: no answer, or an unusable one.
 */
export type StoreFault = 'missing' | 'full' | 'disk_full' | 'refused' | 'unreachable'

/** A failed operation of a store. The message gives the reason, without secrets, to the owner of the bucket. */
export class StoreError extends Error {
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
