import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'

type Done = (error?: Error | null) => void

/**
 * A file written in pieces, which is on the disk after it has closed. It owns the pieces, and frees each after writing
 * it: with garbage collection, the pieces of one upload grew to 60 MiB.
 */
export class DurableFile extends Writable {
  readonly #handle: FileHandle
  bytesWritten = 0

  constructor(handle: FileHandle) {
    super()
    this.#handle = handle
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#writeAll(piece).then(() => done(), done)
  }

  override _final(done: Done): void {
    this.#handle.sync().then(() => done(), done)
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#handle.close().then(
      () => done(error),
      (failure) => done(error ?? failure),
    )
  }

  async #writeAll(piece: Buffer): Promise<void> {
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await this.#handle.write(piece, written)
      written += bytesWritten
      this.bytesWritten += bytesWritten
    }
    release(piece)
  }
}

/** Frees the memory of a piece, unless the piece shares it with others, as small pieces do. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
