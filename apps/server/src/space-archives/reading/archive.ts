import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { writing } from '#src/kernel/storage/file-faults.ts'
import type { StoreError } from '#src/kernel/storage/object-store.ts'
import {
  ArchivedMessage,
  ArchivedSpace,
  ArchivedThread,
  ArchivedThreadMessage,
  FORMAT,
  FORMAT_VERSION,
  LINES_PER_FILE,
  MANIFEST_NAME,
  MAX_LINE_BYTES,
  MAX_LINE_VALUES,
  MAX_SPACE_BYTES,
  MAX_SPACE_VALUES,
  Manifest,
  type ManifestEntry,
  ManifestStart,
  messagesName,
  SPACE_NAME,
  threadMessagesName,
  threadsName,
} from '../format.ts'
import { ArchiveError } from './archive-error.ts'
import { checkerOf, linesIn, parseJson } from './checked-json.ts'
import { ZipFile } from './zip-file.ts'

const checkStart = checkerOf(ManifestStart)
const checkManifest = checkerOf(Manifest)
const checkSpace = checkerOf(ArchivedSpace)
const checkMessage = checkerOf(ArchivedMessage)
const checkThreadMessage = checkerOf(ArchivedThreadMessage)
const checkThread = checkerOf(ArchivedThread)

/** Lines after which the event loop can do other work, because one chunk may contain many lines. */
const LINES_PER_TURN = 100

/**
 * Limits of the manifest: a base, and an addition per entry, so that an archive with few entries must have a small manifest.
 */
const MANIFEST = { bytes: 64 * 1024, values: 1000 }
const MANIFEST_ENTRY = { bytes: 512, values: 4 }

/** An archived message, and its position for error messages. */
export interface PlacedMessage {
  message: ArchivedMessage
  where: string
}

/** An archived message of a thread. */
export interface PlacedThreadMessage extends PlacedMessage {
  message: ArchivedThreadMessage
}

/** An archived thread, and its position for error messages. */
export interface PlacedThread {
  thread: ArchivedThread
  where: string
}

/** The archive of a space. It checks every byte that it reads. */
export class Archive implements Disposable {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, ManifestEntry>
  readonly manifest: Manifest

  private constructor(zip: ZipFile, manifest: Manifest) {
    this.#zip = zip
    this.manifest = manifest
    this.#entries = new Map(manifest.entries.map((entry) => [entry.name, entry]))
  }

  /**
   * Opens a file and checks that it is an archive of a known version, with all of its entries and no others.
   * @throws ArchiveError
   */
  static async open(path: string, maxUnpackedBytes: number): Promise<Archive> {
    const zip = await ZipFile.open(path, maxUnpackedBytes)
    try {
      const archive = new Archive(zip, await readManifest(zip))
      archive.#checkNames()
      return archive
    } catch (error) {
      zip[Symbol.dispose]()
      throw error
    }
  }

  #checkNames(): void {
    const names = new Set(this.#zip.names)
    names.delete(MANIFEST_NAME)
    if (this.#entries.size !== this.manifest.entries.length)
      throw new ArchiveError(`${MANIFEST_NAME} names an entry twice`)
    for (const { name, size_bytes } of this.manifest.entries) {
      if (!names.delete(name)) throw new ArchiveError(`${name} is missing`)
      if (this.#zip.sizeOf(name) !== size_bytes)
        throw new ArchiveError(`${name} has another size than announced`)
    }
    for (const name of names) throw new ArchiveError(`${name} is not in ${MANIFEST_NAME}`)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  sizeOf(name: string): number {
    return this.#entries.get(name)?.size_bytes ?? 0
  }

  /** @throws ArchiveError */
  async readSpace(): Promise<ArchivedSpace> {
    const size = this.sizeOf(SPACE_NAME)
    if (size > MAX_SPACE_BYTES) throw tooLarge(SPACE_NAME, MAX_SPACE_BYTES)
    const bytes = await buffer(await this.#read(SPACE_NAME))
    return checkSpace(parseJson(bytes, { where: SPACE_NAME, maxValues: MAX_SPACE_VALUES }), SPACE_NAME)
  }

  /** Reads a room's messages in their order. @throws ArchiveError */
  messagesOf(roomId: string): AsyncGenerator<PlacedMessage> {
    return this.#messagesIn((number) => messagesName(roomId, number), checkMessage)
  }

  /** Reads the threads of all rooms. @throws ArchiveError */
  async *threads(): AsyncGenerator<PlacedThread> {
    for (let number = 1; this.has(threadsName(number)); number += 1)
      for await (const { value, where } of this.#linesOf(threadsName(number)))
        yield { thread: checkThread(value, where), where }
  }

  /** Reads the messages of all threads, thread after thread. @throws ArchiveError */
  threadMessages(): AsyncGenerator<PlacedThreadMessage> {
    return this.#messagesIn(threadMessagesName, checkThreadMessage)
  }

  async *#messagesIn<Line>(
    nameOf: (number: number) => string,
    check: (value: unknown, where: string) => Line,
  ) {
    for (let number = 1; this.has(nameOf(number)); number += 1)
      for await (const { value, where } of this.#linesOf(nameOf(number)))
        yield { message: check(value, where), where }
  }

  async *#linesOf(name: string): AsyncGenerator<{ value: unknown; where: string }> {
    const bounds = { name, maxBytes: MAX_LINE_BYTES, maxLines: LINES_PER_FILE }
    let count = 0
    for await (const { bytes, where } of linesIn(await this.#read(name), bounds)) {
      count += 1
      if (count % LINES_PER_TURN === 0) await nextTurn()
      yield { value: parseJson(bytes, { where, maxValues: MAX_LINE_VALUES }), where }
    }
  }

  /** Unpacks an entry to a path that the server has chosen. @throws ArchiveError; StoreError if it cannot be written */
  async unpack(name: string, path: string): Promise<void> {
    const content = await this.#read(name)
    const unpacking = writing(() => pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 })))
    await unpacking.catch((error: StoreError) => {
      throw error.cause instanceof ArchiveError ? error.cause : error
    })
  }

  async #read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new ArchiveError(`${name} is missing`)
    return checking(await this.#zip.read(name), entry)
  }

  [Symbol.dispose](): void {
    this.#zip[Symbol.dispose]()
  }
}

/** Passes the bytes on, and fails at the end if their checksum differs. */
function checking(content: Readable, { name, sha256 }: ManifestEntry): Readable {
  const hash = createHash('sha256')
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      done(
        hash.digest('hex') === sha256
          ? null
          : new ArchiveError(`${name} has another checksum than announced`),
      )
    },
  })
  content.once('error', (error) => checked.destroy(new ArchiveError(`${name} is damaged: ${error.message}`)))
  checked.once('close', () => content.destroy())
  return content.pipe(checked)
}

async function readManifest(zip: ZipFile): Promise<Manifest> {
  const maxBytes = MANIFEST.bytes + zip.count * MANIFEST_ENTRY.bytes
  const maxValues = MANIFEST.values + zip.count * MANIFEST_ENTRY.values
  const bytes = await readWhole(zip, MANIFEST_NAME, maxBytes)
  const value = parseJson(bytes, { where: MANIFEST_NAME, maxValues })
  checkVersion(value)
  return checkManifest(value, MANIFEST_NAME)
}

async function readWhole(zip: ZipFile, name: string, maxBytes: number): Promise<Buffer> {
  if ((zip.sizeOf(name) ?? 0) > maxBytes) throw tooLarge(name, maxBytes)
  return buffer(await zip.read(name)).catch((error: Error) => {
    throw new ArchiveError(`${name} is damaged: ${error.message}`)
  })
}

function tooLarge(name: string, maxBytes: number): ArchiveError {
  return new ArchiveError(`${name} has more than ${maxBytes} bytes`)
}

function checkVersion(manifest: unknown): void {
  // Checks a copy, because the checker removes the manifest's other fields.
  const { format, version } = checkStart(Object.assign({}, manifest), MANIFEST_NAME)
  if (format !== FORMAT) throw new ArchiveError('it is not an exported space')
  if (version <= FORMAT_VERSION) return
  const versions = `it has version ${version} of the format, and this server reads up to version ${FORMAT_VERSION}`
  throw new ArchiveError(versions, 'archive_too_new')
}
