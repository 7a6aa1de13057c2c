import { rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { TempFolder } from '../temp-folder.ts'
import { copyDurably, linkOrCopy, renameDurably, syncFolder } from './durable-files.ts'
import { reading, writing } from './file-faults.ts'
import { receiveBody } from './incoming-body.ts'
import { checkedKey } from './keys.ts'
import {
  type ByteRange,
  type DownloadLook,
  type ObjectStore,
  type PresignedUpload,
  StoreError,
  type StreamSource,
} from './object-store.ts'
import { openStoredFile, type StoredFile } from './stored-file.ts'
import { expiryIn, type StorageGrant, StorageUrlSigner } from './url-signer.ts'

export interface FolderStoreOptions {
  folder: string
  /** SECRET_KEY, from which the signing key is derived. */
  secretKey: string
  /** Prefix of signed URLs. Without a prefix they are paths, for clients that know the server's address. */
  baseUrl?: string
}

/** Objects as files of a folder. Their URLs belong to the server itself. */
export class FolderStore implements ObjectStore {
  readonly #folder: string
  readonly #tempFolder: TempFolder
  readonly #signer: StorageUrlSigner
  readonly #baseUrl: string
  /**
   * Running uploads by key, at most one each: otherwise the holder of one URL could fill the disk with many partial
   * uploads of one object.
   */
  readonly #uploads = new Map<string, AbortController>()

  constructor({ folder, secretKey, baseUrl = '' }: FolderStoreOptions) {
    this.#folder = folder
    this.#tempFolder = new TempFolder(join(folder, 'tmp'))
    this.#signer = new StorageUrlSigner(secretKey)
    this.#baseUrl = baseUrl
    // Files that cannot be removed now are removed at the next start.
    this.#tempFolder.sweep().catch(() => undefined)
  }

  put(key: string, file: { path: string; sizeBytes: number }): Promise<void> {
    return this.#replace(key, (temp) => copyDurably(file.path, temp, file.sizeBytes))
  }

  async putStream(key: string, { sizeBytes, open }: StreamSource): Promise<void> {
    checkedKey(key)
    const body = await open()
    try {
      await this.receive(key, sizeBytes, body)
    } finally {
      body.destroy()
    }
  }

  /** Stores a body while it arrives, and owns its pieces. A running upload of the same object is aborted. */
  async receive(key: string, sizeBytes: number, body: Readable): Promise<void> {
    const upload = new AbortController()
    this.#uploads.get(key)?.abort()
    this.#uploads.set(key, upload)
    try {
      const { signal } = upload
      await this.#replace(key, (path) => receiveBody(body, { path, sizeBytes, signal }))
    } finally {
      if (this.#uploads.get(key) === upload) this.#uploads.delete(key)
    }
  }

  /** Opens the object for a download. */
  async open(key: string): Promise<StoredFile> {
    return openStoredFile(this.#pathOf(key))
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const file = await this.open(key)
    return file.read(range)
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const path = this.#pathOf(key)
    return reading(async () => (await stat(path)).size).catch(undefinedIfMissing)
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.#pathOf(from), this.#pathOf(to)]
    await reading(() => stat(source))
    await reading(async () => {
      await renameDurably(source, target)
      await syncFolder(dirname(source))
    })
  }

  async copy(from: string, to: string): Promise<void> {
    const [source, target] = [this.#pathOf(from), checkedKey(to)]
    try {
      await this.#replace(target, (temp) => linkOrCopy(source, temp))
    } catch (error) {
      // Checked after the failure, because the object may have been deleted at any moment before.
      await reading(() => stat(source))
      throw error
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key)
    await reading(async () => {
      await unlink(path)
      await syncFolder(dirname(path))
    }).catch(undefinedIfMissing)
  }

  async presignDownload(key: string, look: DownloadLook, seconds: number): Promise<string> {
    const filename = look.filename.toWellFormed()
    return this.#urlOf({
      method: 'GET',
      key: checkedKey(key),
      look: { ...look, filename },
      expires: expiryIn(seconds),
    })
  }

  async presignUpload(
    key: string,
    file: { sizeBytes: number; contentType: string },
    seconds: number,
  ): Promise<PresignedUpload> {
    const grant = { method: 'PUT', key: checkedKey(key), ...file, expires: expiryIn(seconds) } as const
    return { url: this.#urlOf(grant), method: 'PUT', headers: { 'content-type': file.contentType } }
  }

  /** Returns whether the signature is ours, for exactly this grant. */
  allows(grant: StorageGrant, signature: string, now = Date.now()): boolean {
    return this.#signer.isValid(grant, signature, now)
  }

  #urlOf(grant: StorageGrant): string {
    return `${this.#baseUrl}${this.#signer.sign(grant)}`
  }

  /**
   * Writes a temporary file and moves it into place. Readers never see a partial object, and the old one survives a failed
   * write.
   */
  async #replace(key: string, write: (tempPath: string) => Promise<void>): Promise<void> {
    const path = this.#pathOf(key)
    await writing(async () => {
      const folder = await this.#tempFolder.create()
      try {
        const temp = join(folder, 'object')
        await write(temp)
        await renameDurably(temp, path)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  #pathOf(key: string): string {
    return join(this.#folder, checkedKey(key))
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof StoreError && error.fault === 'missing') return undefined
  throw error
}
