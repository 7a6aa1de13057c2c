// Measures the memory that a direct upload costs the server: one large file, streamed to the server's own storage.
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Upload } from '@foyer/protocol/attachments'
import { type Account, signUp } from './load/accounts.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { collectGarbage } from './server/garbage.ts'
import { readCpuTimes, residentBytes } from './server/usage.ts'

const MIB = 2 ** 20
const CHUNK_BYTES = 64 * 1024
const SAMPLE_MS = 10
/** Maximum growth of the server's memory, whatever the size of the file. */
const MAX_GROWTH_MIB = 30

const options = readOptions({ megabytes: 1000, settle: 2 }, { megabytes: 50, settle: 0.1 })
const { megabytes, settle } = options.numbers
const settings = { DEFAULT_STORAGE_BYTES: '0', UPLOAD_LIMIT_BYTES: `${Math.max(1, megabytes) * 1e6}` }
const { figures, problems } = await withFoyer({ ...options, settings }, measure)
report({ ...options, name: 'direct-upload', figures, problems })

async function measure(foyer: Foyer) {
  const [sender] = await signUp(foyer.port, 1)
  if (sender === undefined) throw new Error('there is no sender')
  const sizeBytes = megabytes * 1e6
  // The first request loads and compiles code that stays in memory.
  await put(foyer, await reserve(sender, 1e6), 1e6)
  await collectGarbage(foyer)
  await sleep(settle * 1000)
  const uploading = await reserve(sender, sizeBytes)
  const cpuBefore = readCpuTimes(foyer)
  const before = residentBytes(foyer.pid)
  const { peak, seconds, status } = await watched(foyer, () => put(foyer, uploading, sizeBytes))
  const growth = (peak - before) / MIB
  return {
    figures: {
      before_mib: before / MIB,
      growth_mib: growth,
      seconds,
      megabytes_per_second: megabytes / seconds,
      server_cpu_ms_per_megabyte: ((readCpuTimes(foyer).server - cpuBefore.server) * 1000) / megabytes,
    },
    problems: [
      ...(status === 200 ? [] : [`the upload was answered with ${status}`]),
      ...(growth < MAX_GROWTH_MIB ? [] : [`the server grew by ${Math.round(growth)} MiB`]),
    ],
  }
}

function reserve({ client, roomId }: Account, sizeBytes: number): Promise<Upload> {
  const file = { filename: 'film.mp4', content_type: 'video/mp4', size_bytes: sizeBytes }
  return client.attachments.create(roomId, file)
}

async function watched({ pid }: Foyer, work: () => Promise<number>) {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, SAMPLE_MS)
  const startedAt = performance.now()
  const status = await work()
  clearInterval(timer)
  return { peak, status, seconds: (performance.now() - startedAt) / 1000 }
}

/** Uploads as fast as the server reads. */
async function put({ port }: Foyer, { upload }: Upload, sizeBytes: number): Promise<number> {
  const { pathname, search } = new URL(upload.url, `http://127.0.0.1:${port}`)
  const headers = { ...upload.headers, 'content-length': sizeBytes }
  const sending = request({ host: '127.0.0.1', port, method: 'PUT', path: `${pathname}${search}`, headers })
  const answered = new Promise<number>((resolve, reject) => {
    sending.once('error', reject).once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  await pipeline(Readable.from(pieces(sizeBytes)), sending)
  return answered
}

function* pieces(sizeBytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(CHUNK_BYTES, 1)
  for (let left = sizeBytes; left > 0; left -= CHUNK_BYTES) yield piece.subarray(0, left)
}
