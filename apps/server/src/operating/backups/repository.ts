/** An object of a repository. */
export interface Stored {
  name: string
  sizeBytes: number
}

/** Bytes of known length. */
export interface Content {
  sizeBytes: number
  /** Starts from the beginning on each call. */
  open(): AsyncIterable<Buffer>
}

/**
 * Folder or bucket of backups. Names are `repository.json`, `snapshots/<time>` and `parts/<two letters>/<id>`. All methods
 * throw BackupErrors.
 */
export interface Repository {
  /** Location of the repository, shown to people, without secrets. */
  readonly location: string
  /** Returns the bytes of an object; undefined if there is none. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>
  /** Stores an object, whole or not at all. */
  write(name: string, content: Content): Promise<void>
  /** Lists the objects in a folder. */
  list(folder: Folder): Promise<Stored[]>
  /** Deletes an object, without an error if there is none. */
  delete(name: string): Promise<void>
  close(): Promise<void>
}

export type Folder = 'snapshots' | 'parts' | 'unfinished'

/** Returns the name of a part. Ids begin with a timestamp, so their last two characters spread parts over folders. */
export function partName(id: string): string {
  return `parts/${id.slice(-2)}/${id}`
}

/** Returns the id in the name of a part or an unfinished file; undefined for other names. */
export function idInName(name: string): string | undefined {
  return /^(?:parts\/[0-9a-f]{2}|unfinished)\/([0-9a-f-]{36})$/.exec(name)?.[1]
}

/** Returns a short buffer as content. */
export function contentOf(bytes: Buffer): Content {
  return {
    sizeBytes: bytes.length,
    async *open() {
      yield bytes
    },
  }
}
