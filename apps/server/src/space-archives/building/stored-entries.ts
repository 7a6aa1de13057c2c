import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileDeps, storeFile } from '#src/files/objects/actions.ts'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { TempFolder } from '#src/kernel/temp-folder.ts'
import type { Archive } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'

export interface StoringDeps extends FileDeps {
  config: { uploadLimitBytes: number }
  formSpace: Pick<FormSpace, 'checkDisk'>
  signal: AbortSignal
  /** Folder in which entries are unpacked, one at a time. */
  tempFolder: TempFolder
}

/** Filename and type with which a file is shown. */
interface Look {
  filename: string
  contentType: string
}

/** Errors after which only the file is left out: the rest of the space is still useful without it. */
const LEAVING_OUT: readonly ErrorCode[] = [
  'storage_full',
  'upload_too_large',
  'no_bucket',
  'image_too_complex',
]
const NO_PICTURE: readonly ErrorCode[] = ['invalid_image']

export interface WantedEntry {
  name: string
  look: Look
  /** Files above this size are not unpacked. */
  maxBytes?: number
}

/** Stores entries as files that are not used anywhere yet. They are examined and cleaned like uploads. */
export class EntryStore {
  readonly #deps: StoringDeps
  readonly #archive: Archive
  /**
   * Size of the smallest file that did not fit. No file is deleted while the space is built, so larger ones will not
   * fit, either.
   */
  #noRoomFor = Number.POSITIVE_INFINITY

  constructor(deps: StoringDeps, archive: Archive) {
    this.#deps = deps
    this.#archive = archive
  }

  /**
   * @returns undefined if the entry is missing or too large, or if storing it failed with an error of LEAVING_OUT
   * @throws ArchiveError for damaged bytes, or a file that is not a picture where a picture is required; ApiError 507 if the
   * disk is too full
   */
  async store(target: FileTarget, wanted: WantedEntry): Promise<FileRow | undefined> {
    const { name, maxBytes = Number.POSITIVE_INFINITY } = wanted
    const { signal, config, formSpace } = this.#deps
    signal.throwIfAborted()
    const sizeBytes = this.#archive.sizeOf(name)
    const isLarge = sizeBytes > Math.min(maxBytes, config.uploadLimitBytes) || sizeBytes >= this.#noRoomFor
    // Checked before anything is written: an entry may be larger than the disk.
    if (!this.#archive.has(name) || isLarge) return undefined
    // Enough for the unpacked entry and for the stored file.
    await formSpace.checkDisk(2 * sizeBytes)
    try {
      return await this.#unpack(target, wanted)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (NO_PICTURE.includes(error.code)) throw new ArchiveError(`${name} is not an image`)
      if (!LEAVING_OUT.includes(error.code)) throw error
      if (error.code === 'storage_full') this.#noRoomFor = sizeBytes
      return undefined
    }
  }

  async #unpack(target: FileTarget, { name, look }: WantedEntry): Promise<FileRow> {
    const folder = await this.#deps.tempFolder.create()
    const path = join(folder, 'entry')
    try {
      await this.#archive.unpack(name, path)
      const sizeBytes = this.#archive.sizeOf(name)
      return await storeFile(this.#deps, target, { field: '', path, sizeBytes, ...look })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
