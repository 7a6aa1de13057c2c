import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Entry, type ZipFile as OpenZip, openPromise } from 'yauzl'
import { ENTRY_NAME, MANIFEST_NAME, MAX_ENTRIES } from '../format.ts'
import { ArchiveError } from './archive-error.ts'

/** Mask of the file type in the upper 16 bits of an entry's attributes, if the archive was made on Unix. */
const UNIX_TYPE = 0o170000
const UNIX_LINK = 0o120000
/**
 * Maximum bytes of an entry's comment and extra fields together. A ZIP allows 64 KiB for each, and all are kept in memory.
 * Times, sizes and Unix ids need far less.
 */
const MAX_EXTRA_BYTES = 256

/**
 * A ZIP file whose directory was read and checked: its entries have names of the format, each name once, and unpack to no
 * more than the given number of bytes. Nothing is unpacked to a path that the archive names.
 */
export class ZipFile implements Disposable {
  readonly #zip: OpenZip
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: OpenZip, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws ArchiveError */
  static async open(path: string, maxUnpackedBytes: number): Promise<ZipFile> {
    const { size } = await stat(path)
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true }
    const zip = await openPromise(path, options).catch((error: Error) => {
      throw new ArchiveError(`it cannot be read as a ZIP file: ${error.message}`)
    })
    try {
      if (zip.entryCount > MAX_ENTRIES) throw new ArchiveError(`it has more than ${MAX_ENTRIES} entries`)
      // Ignores errors here, because each read reports damage itself.
      zip.on('error', () => undefined)
      return new ZipFile(zip, await readDirectory(zip, { packedBytes: size, maxUnpackedBytes }))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  get count(): number {
    return this.#entries.size
  }

  get names(): Iterable<string> {
    return this.#entries.keys()
  }

  /** Returns the unpacked size in bytes; undefined if there is no such entry. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize
  }

  /** @throws ArchiveError if there is no such entry. The stream fails if it is damaged */
  async read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new ArchiveError(`${name} is missing`)
    return this.#zip.openReadStreamPromise(entry).catch((error: Error) => {
      throw new ArchiveError(`${name} cannot be read: ${error.message}`)
    })
  }

  [Symbol.dispose](): void {
    this.#zip.close()
  }
}

interface Bounds {
  packedBytes: number
  maxUnpackedBytes: number
}

async function readDirectory(zip: OpenZip, bounds: Bounds): Promise<Map<string, Entry>> {
  try {
    return await checkEntries(zip, bounds)
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError(`its directory is damaged: ${error instanceof Error ? error.message : ''}`)
  }
}

async function checkEntries(zip: OpenZip, bounds: Bounds): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const sums = { packed: 0, unpacked: 0 }
  for await (const entry of zip.eachEntry()) {
    sums.packed += entry.compressedSize
    sums.unpacked += entry.uncompressedSize
    const complaint = complaintOf(entry, entries) ?? complaintOfSums(sums, bounds)
    if (complaint !== undefined) throw new ArchiveError(complaint)
    entries.set(entry.fileName, entry)
  }
  return entries
}

function complaintOf(entry: Entry, known: ReadonlyMap<string, Entry>): string | undefined {
  const { fileName, externalFileAttributes } = entry
  if (fileName !== MANIFEST_NAME && !ENTRY_NAME.test(fileName))
    return `${JSON.stringify(fileName.slice(0, 200))} is no name of an exported space`
  if (known.has(fileName)) return `${fileName} is in it twice`
  if (((externalFileAttributes >>> 16) & UNIX_TYPE) === UNIX_LINK) return `${fileName} is a link`
  if (entry.extraFieldLength + entry.fileCommentLength > MAX_EXTRA_BYTES)
    return `${fileName} has a comment or extra fields of more than ${MAX_EXTRA_BYTES} bytes`
  if (entry.isEncrypted()) return `${fileName} is encrypted`
  return undefined
}

/** Detects ZIP bombs: entries that share their packed bytes, or that unpack to too many bytes. */
function complaintOfSums(
  { packed, unpacked }: { packed: number; unpacked: number },
  { packedBytes, maxUnpackedBytes }: Bounds,
): string | undefined {
  if (packed > packedBytes) return 'its entries overlap'
  if (unpacked > maxUnpackedBytes) return `it would unpack to more than ${maxUnpackedBytes} bytes`
  return undefined
}
