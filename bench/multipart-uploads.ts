// Measures the memory of many parallel uploads: messages with a file each, then as many pictures, which are encoded again.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, signUp } from './load/accounts.ts'
import { randomFile, randomPicture, sendFile, type UploadedFile } from './load/upload.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { mediaProcessesOf, residentBytes } from './server/usage.ts'

const MIB = 2 ** 20
const SAMPLE_MS = 20
/** Maximum memory of the server, whatever the number of parallel uploads. */
const MAX_SERVER_MIB = 400

const options = readOptions(
  { uploads: 100, pictures: 100, megabytes: 10, people: 10 },
  { uploads: 8, pictures: 4, megabytes: 1, people: 2 },
)
const { uploads, pictures, megabytes, people } = options.numbers
const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: 'multipart-uploads', figures, problems })

async function measure(foyer: Foyer) {
  const accounts = await signUp(foyer.port, people)
  const atStart = residentBytes(foyer.pid) / MIB
  const files = await peakWhile(foyer, () => sendAll(foyer, accounts, uploads, randomFile(megabytes * 1e6)))
  const images = await peakWhile(foyer, () =>
    sendAll(foyer, accounts, pictures, randomPicture(megabytes * 1e6)),
  )
  const left = await leftBehind(foyer)
  const peak = Math.max(files.server, images.server)
  return {
    figures: {
      at_start_mib: atStart,
      server_peak_mib: files.server,
      seconds: files.seconds,
      server_peak_with_pictures_mib: images.server,
      media_processes_peak_mib: images.media,
      seconds_with_pictures: images.seconds,
    },
    problems: [
      ...(peak < MAX_SERVER_MIB ? [] : [`the server took ${Math.round(peak)} MiB`]),
      ...[...files.problems, ...images.problems],
      ...left.map((name) => `${name} was left behind`),
    ],
  }
}

/** Sends all messages at once, spread over the accounts. */
async function sendAll(
  foyer: Foyer,
  accounts: readonly Account[],
  count: number,
  file: UploadedFile,
): Promise<string[]> {
  const senders = Array.from({ length: count }, (_, index) => accounts[index % accounts.length])
  const sent = senders
    .filter((sender) => sender !== undefined)
    .map((sender) => sendFile(foyer.port, sender, file))
  const outcomes = await Promise.allSettled(sent)
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
}

async function peakWhile({ pid }: Foyer, work: () => Promise<string[]>) {
  const peak = { server: 0, media: 0 }
  const timer = setInterval(() => {
    peak.server = Math.max(peak.server, residentBytes(pid) / MIB)
    const media = mediaProcessesOf(pid).reduce((sum, child) => sum + residentBytes(child), 0)
    peak.media = Math.max(peak.media, media / MIB)
  }, SAMPLE_MS)
  const startedAt = performance.now()
  const problems = await work()
  clearInterval(timer)
  return { ...peak, seconds: (performance.now() - startedAt) / 1000, problems }
}

/** Lists the temporary files that finished requests have left behind. */
async function leftBehind({ dataDir }: Foyer): Promise<string[]> {
  await sleep(500)
  const names = await readdir(join(dataDir, 'tmp'), { recursive: true })
  return names.filter((name) => name.includes('/'))
}
