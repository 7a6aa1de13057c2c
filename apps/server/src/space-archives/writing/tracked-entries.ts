import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import type { ManifestEntry } from '../format.ts'

/** A file of an archive: a text, or bytes that are read before the next entry begins. */
export type ArchiveEntry = { name: string; text: string } | { name: string; content: Readable }

/** Makes entries, and keeps their sizes and checksums for the manifest. */
export class TrackedEntries {
  readonly done: ManifestEntry[] = []

  ofText(name: string, text: string): ArchiveEntry {
    const sha256 = createHash('sha256').update(text).digest('hex')
    this.done.push({ name, size_bytes: Buffer.byteLength(text), sha256 })
    return { name, text }
  }

  ofFile(name: string, content: Readable): ArchiveEntry {
    const hash = createHash('sha256')
    let sizeBytes = 0
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        sizeBytes += chunk.length
        done(null, chunk)
      },
      flush: (done) => {
        this.done.push({ name, size_bytes: sizeBytes, sha256: hash.digest('hex') })
        done()
      },
    })
    content.once('error', (error) => counting.destroy(error))
    counting.once('close', () => content.destroy())
    return { name, content: content.pipe(counting) }
  }
}
