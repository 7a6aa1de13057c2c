import { createReadStream } from 'node:fs'
import { readdir, stat, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { eachOf } from '#src/kernel/at-once.ts'
import { explained, FolderWriter } from './folder-writer.ts'
import type { Content, Folder, Repository, Stored } from './repository.ts'

/** Files checked simultaneously. */
const LOOKED_AT_ONCE = 16

/** Backups in a folder. */
export class FolderRepository implements Repository {
  readonly location: string
  readonly #folder: string
  readonly #writer: FolderWriter

  constructor(folder: string) {
    this.#folder = resolve(folder)
    this.location = this.#folder
    this.#writer = new FolderWriter(this.#folder, 'unfinished')
  }

  async read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const path = join(this.#folder, name)
    try {
      await stat(path)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw explained(this.#folder, error)
    }
    return this.#explaining(createReadStream(path))
  }

  /** Flushes the parts to the disk before it writes a manifest that names them. */
  async write(name: string, content: Content): Promise<void> {
    const isPart = name.startsWith('parts/')
    if (!isPart) await this.#writer.flush()
    await this.#writer.write(name, content)
    if (!isPart) await this.#writer.flush()
  }

  async list(folder: Folder): Promise<Stored[]> {
    try {
      const entries = await readdir(join(this.#folder, folder), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const paths = files.map(({ parentPath, name }) => join(parentPath, name))
      const found: Stored[] = []
      await eachOf(paths, LOOKED_AT_ONCE, async (path) => {
        found.push(...(await this.#look(path)))
      })
      return found
    } catch (error) {
      if (isMissing(error)) return []
      throw explained(this.#folder, error)
    }
  }

  async delete(name: string): Promise<void> {
    await unlink(join(this.#folder, name)).catch((error: unknown) => {
      if (!isMissing(error)) throw explained(this.#folder, error)
    })
  }

  async close(): Promise<void> {}

  /** Returns the name and size of a listed file as a list, which is empty if the file has been deleted since. */
  async #look(path: string): Promise<Stored[]> {
    const found = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    const name = path.slice(this.#folder.length + 1)
    return found === undefined ? [] : [{ name, sizeBytes: found.size }]
  }

  async *#explaining(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* pieces
    } catch (error) {
      throw explained(this.#folder, error)
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
