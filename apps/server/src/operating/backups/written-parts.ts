import type { Content, Folder, Repository, Stored } from './repository.ts'

/** A repository that remembers the parts written by a backup, to delete them if the backup fails. */
export class WrittenParts implements Repository {
  readonly location: string
  readonly #repository: Repository
  readonly #names: string[] = []

  constructor(repository: Repository) {
    this.#repository = repository
    this.location = repository.location
  }

  read(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    return this.#repository.read(name)
  }

  /** Remembers the part before writing it, because a bucket may have stored it although the answer was lost. */
  async write(name: string, content: Content): Promise<void> {
    this.#names.push(name)
    await this.#repository.write(name, content)
  }

  list(folder: Folder): Promise<Stored[]> {
    return this.#repository.list(folder)
  }

  delete(name: string): Promise<void> {
    return this.#repository.delete(name)
  }

  async close(): Promise<void> {}

  /** Deletes the written parts as far as possible. The next backup deletes the rest. */
  async discard(): Promise<void> {
    try {
      for (const name of this.#names) await this.#repository.delete(name)
    } catch {
      // The failure of the backup is the one to report.
    }
  }
}
