import { constants, type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { reading } from './file-faults.ts'
import { type ByteRange, StoreError } from './object-store.ts'

/** An open object of the folder store. Replacing or deleting the object does not affect it. */
export class StoredFile {
  readonly sizeBytes: number
  readonly modifiedAt: Date
  /** Changes whenever the object is replaced. */
  readonly etag: string
  readonly #handle: FileHandle

  constructor(handle: FileHandle, stats: { size: bigint; mtimeNs: bigint; mtime: Date }) {
    this.#handle = handle
    this.sizeBytes = Number(stats.size)
    this.modifiedAt = stats.mtime
    this.etag = `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`
  }

  /** @throws StoreError for a range that begins past the end; the file is closed then */
  async read(range?: ByteRange): Promise<Readable> {
    if (range !== undefined && range.start >= this.sizeBytes) {
      await this.close()
      throw new StoreError('missing', 'the object ends before this range')
    }
    if (this.sizeBytes === 0) {
      await this.close()
      return Readable.from([])
    }
    const { start, end } = range ?? { start: 0, end: this.sizeBytes - 1 }
    return this.#handle.createReadStream({ start, end })
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** @throws StoreError */
export function openStoredFile(path: string): Promise<StoredFile> {
  return reading(async () => {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      return new StoredFile(handle, await handle.stat({ bigint: true }))
    } catch (error) {
      await handle.close()
      throw error
    }
  })
}
