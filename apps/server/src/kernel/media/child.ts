// A separate process that reads uploaded files, so that they cannot affect the server.
import sharp from 'sharp'
import type { ByteSource } from './byte-source.ts'
import { sendToServer, serveJobs } from './child-jobs.ts'
import { examineLocal, examineRemote } from './examine.ts'
import { ImageRefusal } from './images.ts'
import type { Finding, Job } from './jobs.ts'
import type { FromChild } from './messages.ts'

/** The allowed decoders by name, so that a later version of the library does not enable more. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`)

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })

let onBytes: (bytes: Uint8Array | null) => void = () => undefined
await serveJobs<Job>(
  async (job) => {
    try {
      return { kind: 'done', result: await examine(job) }
    } catch (error) {
      return refusalOf(error)
    }
  },
  (bytes) => onBytes(bytes),
)

async function examine(job: Job): Promise<Finding> {
  const onType = (contentType: string) => sendToServer({ kind: 'type', contentType })
  if (job.kind === 'local') return examineLocal(job, onType)
  return { facts: await examineRemote(remoteSource(job.sizeBytes), job.claimedType, onType), isNew: false }
}

/** @throws the given error, unless it is a refusal */
function refusalOf(error: unknown): FromChild {
  if (error instanceof ImageRefusal) return { kind: 'refused', code: error.code }
  throw error
}

/** Returns a source whose bytes the server fetches, one piece after the other: this process opens no connections. */
function remoteSource(sizeBytes: number): ByteSource {
  let last: Promise<unknown> = Promise.resolve()
  const ask = (start: number, end: number) =>
    new Promise<Uint8Array>((resolve, reject) => {
      onBytes = (bytes) => {
        if (bytes?.length === end - start) resolve(bytes)
        else reject(new Error('the bytes could not be read'))
      }
      sendToServer({ kind: 'read', start, end: end - 1 })
    })
  return {
    sizeBytes,
    isRemote: true,
    read(start, end) {
      const bytes = last.then(() => ask(start, end))
      last = bytes.catch(() => undefined)
      return bytes
    },
  }
}
