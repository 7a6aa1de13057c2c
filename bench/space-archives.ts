// Measures the export of a space with 100,000 messages, and its import: from the request until it is ready, and the server's memory.
import { setTimeout as sleep } from 'node:timers/promises'
import { SpaceArchives } from '@foyer/sdk/api/space-archives'
import { type Account, signUp } from './load/accounts.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { resetPeak, residentPeakBytes } from './server/usage.ts'

const MAX_SECONDS = 60
const MAX_GROWTH_BYTES = 200_000_000
const POLL_MS = 50
const PASSWORD = 'correct horse battery staple'

const options = readOptions({ messages: 100_000 }, { messages: 3000 })
const { messages } = options.numbers
const { problems, figures } = await withFoyer(options, measure)
report({ ...options, name: 'space-archives', problems, figures })

async function measure(foyer: Foyer) {
  const [owner, other] = await signUp(foyer.port, 2)
  if (owner === undefined || other === undefined) throw new Error('nobody writes')
  const { spaceId, roomId } = owner
  const authorIds = [owner.userId, other.userId]
  await withDatabase(foyer, (database) => fillRoom(database, { spaceId, roomId, authorIds, count: messages }))
  const exported = await timed(foyer, () => exportSpace(foyer, owner))
  const imported = await timed(foyer, () => importSpace(owner, exported.result))
  const growth = Math.max(exported.growth, imported.growth)
  return {
    problems: [
      ...(imported.result === messages ? [] : [`the import has ${imported.result} messages`]),
      ...(exported.seconds > MAX_SECONDS ? [`the export takes more than ${MAX_SECONDS} s`] : []),
      ...(growth > MAX_GROWTH_BYTES ? ['an archive takes too much memory'] : []),
    ],
    figures: {
      messages,
      export_seconds: exported.seconds,
      import_seconds: imported.seconds,
      archive_megabytes: exported.result.size / 1e6,
      export_memory_growth_megabytes: exported.growth / 1e6,
      import_memory_growth_megabytes: imported.growth / 1e6,
    },
  }
}

async function timed<T>(foyer: Foyer, work: () => Promise<T>) {
  resetPeak(foyer.pid)
  const before = residentPeakBytes(foyer.pid)
  const beganAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - beganAt) / 1000
  return { result, seconds, growth: residentPeakBytes(foyer.pid) - before }
}

async function exportSpace(foyer: Foyer, { client, spaceId }: Account): Promise<Blob> {
  const archives = client.api(SpaceArchives)
  await archives.export(spaceId, { password: PASSWORD })
  for (;;) {
    const [made] = await archives.listExports(spaceId)
    if (made?.state === 'failed') throw new Error('the export has failed')
    if (made?.state === 'ready') {
      const { url } = await archives.download(spaceId, made.id)
      return (await fetch(new URL(url, `http://localhost:${foyer.port}`))).blob()
    }
    await sleep(POLL_MS)
  }
}

/** @returns the number of messages */
async function importSpace({ client }: Account, archive: Blob): Promise<number> {
  const archives = client.api(SpaceArchives)
  const { id } = await archives.import(archive)
  for (;;) {
    const { state, failure, result } = await archives.getImport(id)
    if (state === 'failed') throw new Error(failure?.message)
    if (state === 'done') return result?.messages ?? 0
    await sleep(POLL_MS)
  }
}
