import { createWriteStream, type WriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { writing } from '#src/kernel/storage/file-faults.ts'

/** Mode of the unpacked files: regular files that only their owner can read and write. */
const MODE = 0o100600

/**
 * Writes a ZIP to a file, entry by entry. Only the part of the current entry that the disk has not yet taken is in memory.
 */
export class ArchiveWriter {
  readonly #zip = new ZipFile()
  readonly #file: WriteStream
  readonly #written: Promise<void>
  readonly #time: Date
  readonly #signal: AbortSignal

  /** @param signal aborts the writing */
  constructor(path: string, signal: AbortSignal) {
    this.#time = new Date()
    this.#signal = signal
    this.#file = createWriteStream(path, { mode: 0o600 })
    this.#zip.on('error', (error) => this.#file.destroy(error))
    this.#written = writing(() => pipeline(this.#zip.outputStream, this.#file, { signal }))
    // `add` and `finish` report the error.
    this.#written.catch(() => undefined)
  }

  /** Adds an entry: one text, or several texts joined. */
  async addText(name: string, text: string | AsyncIterable<string>): Promise<void> {
    const source =
      typeof text === 'string' ? Readable.from([Buffer.from(text)]) : Readable.from(encoded(text))
    await this.#add(name, source, true)
  }

  /** Adds bytes without compressing them, because most files are already compressed. */
  async addBytes(name: string, source: Readable): Promise<void> {
    await this.#add(name, source, false)
  }

  /** Finishes the archive. Returns its size in bytes. */
  async finish(): Promise<number> {
    this.#zip.end()
    await this.#written
    return this.#file.bytesWritten
  }

  /** Stops, and resolves once nothing writes to the file any more. */
  async abandon(): Promise<void> {
    this.#file.destroy()
    await this.#written.catch(() => undefined)
  }

  async #add(name: string, source: Readable, isCompressed: boolean): Promise<void> {
    this.#signal.throwIfAborted()
    const failed = this.#written.then(() => new Promise<never>(() => undefined))
    // The library keeps the callback until the end. The callback refers to `held`, so that the source can be freed
    // earlier.
    const held: { source: Readable | undefined } = { source }
    const options = { mtime: this.#time, mode: MODE, compress: isCompressed }
    try {
      this.#zip.addReadStreamLazy(name, options, (give) => {
        if (held.source !== undefined) give(null, held.source)
      })
      await Promise.race([finished(source, { writable: false }), failed])
    } finally {
      held.source = undefined
      source.destroy()
    }
  }
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}
