import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors.ts'

/**
 * The minimum of free space on a folder's disk. The database is usually on the same disk, and fails for everyone
 * without space, so files are refused earlier.
 */
export class FreeDisk {
  readonly #folder: string
  readonly #minFreeBytes: number

  /**
   * Makes the folder if it is missing.
   * @param minFreeBytes space kept free of files; 0 for no limit
   */
  constructor(folder: string, minFreeBytes: number) {
    this.#folder = folder
    this.#minFreeBytes = minFreeBytes
    if (minFreeBytes > 0) mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** @throws ApiError 507 if less than the minimum would be free after this many more bytes */
  async check(sizeBytes: number): Promise<void> {
    if (this.#minFreeBytes === 0) return
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize - sizeBytes < this.#minFreeBytes) throw new ApiError('disk_full')
  }
}
