import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors.ts'

/**
 * The watermark of a folder's disk. The database is mostly on the same disk, and a database without room stops everybody: files
 * are refused before.
 */
export class FreeDisk {
  readonly #folder: string
  readonly #minFreeBytes: number

  /**
   * Makes the folder where there is none.
   * @param minFreeBytes stays free of files; 0 for no such bound
   */
  constructor(folder: string, minFreeBytes: number) {
    this.#folder = folder
    this.#minFreeBytes = minFreeBytes
    if (minFreeBytes > 0) mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** @throws ApiError 507 when less than the bound would be free behind so many bytes more */
  async check(sizeBytes: number): Promise<void> {
    if (this.#minFreeBytes === 0) return
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize - sizeBytes < this.#minFreeBytes) throw new ApiError('disk_full')
  }
}
