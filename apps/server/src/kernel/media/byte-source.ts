import type { FileHandle } from 'node:fs/promises'

/** A file that is read in pieces. */
export interface ByteSource {
  readonly sizeBytes: number
  /** True if each read costs a round trip. The file is then read in fewer and longer pieces. */
  readonly isRemote: boolean
  /** Reads from `start` up to, and without, `end`, both within the file. */
  read(start: number, end: number): Promise<Uint8Array>
}

export function localSource(file: FileHandle, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    isRemote: false,
    async read(start, end) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
      if (bytesRead < end - start) throw new Error('the file is shorter than it was')
      return buffer
    },
  }
}

/** Reads the beginning of a file. */
export async function readHead(source: ByteSource, maxBytes: number): Promise<Uint8Array> {
  const end = Math.min(maxBytes, source.sizeBytes)
  return end === 0 ? new Uint8Array() : source.read(0, end)
}

/** Returns the file with limits on bytes and reads, because a file may claim to be endless. */
export function boundedSource(source: ByteSource, limits: { bytes: number; reads: number }): ByteSource {
  const left = { ...limits }
  return {
    ...source,
    async read(start, end) {
      left.bytes -= end - start
      left.reads -= 1
      if (left.bytes < 0 || left.reads < 0) throw new Error('the file takes too much reading')
      return source.read(start, end)
    },
  }
}
