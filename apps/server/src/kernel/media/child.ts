// A process of its own, which looks at strangers' files: whatever they do to it, the server goes on.
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import type { ByteSource } from './byte-source.ts'
import { examineLocal, examineRemote } from './examine.ts'
import { ImageRefusal } from './images.ts'
import type { FromChild, Job, ToChild } from './jobs.ts'

/** All that is decoded: by name, so that what a later version of the library learns is not let in by itself. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`)

const [, , maxRssBytes] = process.argv
new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: maxRssBytes }).unref()
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })

let onBytes: (bytes: Uint8Array | null) => void = () => undefined
process.on('disconnect', () => process.exit())
process.on('message', (message: ToChild) => {
  if (message.kind === 'bytes') onBytes(message.bytes)
  else
    work(message.job)
      .catch(asFailure)
      .then((answer) => tell(answer))
})

async function work(job: Job): Promise<FromChild> {
  const onType = (contentType: string) => tell({ kind: 'type', contentType })
  if (job.kind === 'local') return { kind: 'done', ...(await examineLocal(job, onType)) }
  const facts = await examineRemote(remoteSource(job.sizeBytes), job.claimedType, onType)
  return { kind: 'done', facts, isNew: false }
}

function asFailure(error: unknown): FromChild {
  if (error instanceof ImageRefusal) return { kind: 'refused', code: error.code }
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function tell(message: FromChild): void {
  process.send?.(message)
}

/** Bytes that the server fetches: this process opens no connections. One piece after the other. */
function remoteSource(sizeBytes: number): ByteSource {
  let last: Promise<unknown> = Promise.resolve()
  const ask = (start: number, end: number) =>
    new Promise<Uint8Array>((resolve, reject) => {
      onBytes = (bytes) => {
        if (bytes?.length === end - start) resolve(bytes)
        else reject(new Error('the bytes could not be read'))
      }
      tell({ kind: 'read', start, end: end - 1 })
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
