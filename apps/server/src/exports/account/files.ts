import { Readable } from 'node:stream'
import { MAX_EXPORT_FILE_BYTES } from '@foyer/protocol/limits'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { WholeFiles } from '#src/files/objects/whole-files.ts'
import type { ArchiveWriter } from '../archive-writer.ts'
import { fileNameOf } from '../file-names.ts'

/** A file of the person, with its path in the archive or the reason why it is missing there. */
export interface ListedFile {
  id: string
  name: string
  description: string | null
  content_type: string
  size_bytes: number
  created_at: string
  /** Path in the archive; null if it is missing there. */
  path: string | null
  missing: 'deleted' | 'over_limit' | 'storage' | null
}

/** Copies files into an archive, until the limit for one person is reached. */
export class FileCopier {
  readonly #files: WholeFiles
  readonly #archive: ArchiveWriter
  #left: number

  constructor(files: WholeFiles, archive: ArchiveWriter, maxBytes = MAX_EXPORT_FILE_BYTES) {
    this.#files = files
    this.#archive = archive
    this.#left = maxBytes
  }

  async copy(file: FileRow): Promise<ListedFile> {
    const path = `files/${fileNameOf(file.id, file.filename)}`
    const missing = await this.#tryCopy(file, path)
    const { id, filename: name, description, content_type, size_bytes, created_at } = file
    const facts = { id, name, description, content_type, size_bytes, created_at }
    return { ...facts, path: missing === null ? path : null, missing }
  }

  async #tryCopy(file: FileRow, path: string): Promise<ListedFile['missing']> {
    if (file.state !== 'live') return 'deleted'
    if (file.size_bytes > this.#left) return 'over_limit'
    const source = await this.#files.open(file)
    if (!(source instanceof Readable)) return source
    this.#left -= file.size_bytes
    await this.#archive.addBytes(path, source)
    return null
  }
}
