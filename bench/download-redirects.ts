// Measures download redirects per second on one core, to the server's own storage and to a bucket.
import { setTimeout as sleep } from 'node:timers/promises'
import { DownloadSigner } from '../apps/server/src/files/objects/signatures.ts'
import { Database } from '../apps/server/src/kernel/database/database.ts'
import { newId } from '../apps/server/src/kernel/ids.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { DownloadLoad } from './load/downloads.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { type CpuTimes, cpuBetween, readCpuTimes } from './server/usage.ts'

const WANTED_PER_SECOND = 4000
const SECRET_KEY = 'the benchmark knows it, to sign addresses'

/** Settings of a bucket at an address where nothing listens: the server redirects without contacting the bucket. */
const bucketSettings = {
  S3_ENDPOINT: 'https://s3.example.org',
  S3_BUCKET: 'bench',
  S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}

const options = readOptions(
  { files: 5000, connections: 16, warmup: 3, seconds: 10 },
  { files: 20, connections: 2, warmup: 0.2, seconds: 0.5 },
)
const { files, connections, warmup, seconds } = options.numbers
const folder = await measure({ SECRET_KEY })
const bucket = await measure({ SECRET_KEY, ...bucketSettings })
const isTooSlow = [folder, bucket].some(({ perCore }) => perCore < WANTED_PER_SECOND)
report({
  ...options,
  name: 'download-redirects',
  problems:
    isTooSlow && !options.isSmoke ? [`less than ${WANTED_PER_SECOND} redirects a second on one core`] : [],
  figures: { ...figuresOf('folder', folder), ...figuresOf('bucket', bucket) },
})

interface Measured {
  perSecond: number
  /** Redirects per second that the server would reach on a core that it does not share with the load generator. */
  perCore: number
  latencies: number[]
  cpuUs: number
}

function figuresOf(store: string, { perSecond, perCore, latencies, cpuUs }: Measured) {
  return {
    [`${store}_redirects_per_second_here`]: perSecond,
    [`${store}_redirects_per_second_of_one_core`]: perCore,
    [`${store}_server_cpu_us_per_redirect`]: cpuUs,
    [`${store}_p50_ms`]: percentile(latencies, 0.5),
    [`${store}_p99_ms`]: percentile(latencies, 0.99),
  }
}

function measure(settings: Record<string, string>): Promise<Measured> {
  return withFoyer({ ...options, settings }, async (foyer) => {
    const paths = await makeFiles(foyer)
    const load = new DownloadLoad(foyer.port, paths, connections)
    await sleep(warmup * 1000)
    load.latencies.length = 0
    const before = readCpuTimes(foyer)
    await sleep(seconds * 1000)
    const cpu: CpuTimes = cpuBetween(before, readCpuTimes(foyer))
    const latencies = [...load.latencies]
    await load.stop()
    const cpuSeconds = cpu.server + cpu.postgres
    return {
      perSecond: latencies.length / seconds,
      perCore: latencies.length / cpuSeconds,
      latencies,
      cpuUs: (cpuSeconds / latencies.length) * 1e6,
    }
  })
}

/** Inserts the files' rows only: a redirect reads nothing else. */
async function makeFiles({ postgresSocket }: Foyer): Promise<string[]> {
  const onError = (error: Error) => {
    throw error
  }
  const connection = { host: postgresSocket, user: 'foyer', database: 'foyer' }
  const database = new Database({ connection, onError, onCommit: async () => undefined })
  const [spaceId, ids] = [newId(), Array.from({ length: files }, () => newId())]
  await database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind) values (${spaceId}, ${spaceId}, 'own')`)
  await database.execute(sql`
    insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename,
      content_type, size_bytes)
    select ${spaceId}, id, ${spaceId}, ${spaceId}, 'message', 'live', ${spaceId}, id, 'A picture.png', 'image/png', 1000
    from unnest(${ids}::uuid[]) id`)
  await database.close()
  const signer = new DownloadSigner(SECRET_KEY)
  return ids.map((id) => signer.urlOf(id, Date.now()))
}
