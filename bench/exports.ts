// Measures the export of a person who wrote 100,000 messages: from the request until it is ready, and the server's memory.
import { setTimeout as sleep } from 'node:timers/promises'
import { Exports } from '@foyer/sdk/api/exports'
import { type Account, signUp } from './load/accounts.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { resetPeak, residentPeakBytes } from './server/usage.ts'

/** Maximum duration with the default number of messages: 100,000 of the person's own. */
const MAX_SECONDS = 60
/** Maximum growth of the server's memory, mostly garbage. With six times as many messages, it grows by 1.5 times as much. */
const MAX_GROWTH_BYTES = 250_000_000
const POLL_MS = 50
const PASSWORD = 'correct horse battery staple'

// Half of the messages are written by another person.
const options = readOptions({ messages: 200_000 }, { messages: 4000 })
const { messages } = options.numbers
const maxSeconds = MAX_SECONDS * Math.max(1, messages / 200_000)
const { problems, figures } = await withFoyer(options, measure)
report({ ...options, name: 'exports', problems, figures })

async function measure(foyer: Foyer) {
  const [writer, other] = await signUp(foyer.port, 2)
  if (writer === undefined || other === undefined) throw new Error('nobody writes')
  const { spaceId, roomId } = writer
  const authorIds = [writer.userId, other.userId]
  await withDatabase(foyer, (database) => fillRoom(database, { spaceId, roomId, authorIds, count: messages }))
  resetPeak(foyer.pid)
  const before = residentPeakBytes(foyer.pid)
  const beganAt = performance.now()
  const { bytes } = await makeExport(writer)
  const seconds = (performance.now() - beganAt) / 1000
  const growth = residentPeakBytes(foyer.pid) - before
  return {
    problems: [
      ...(bytes === 0 ? ['the export has failed'] : []),
      ...(seconds > maxSeconds ? [`the export takes more than ${maxSeconds} s`] : []),
      ...(growth > MAX_GROWTH_BYTES ? ['the export takes too much memory'] : []),
    ],
    figures: {
      own_messages: messages / 2,
      seconds,
      archive_megabytes: bytes / 1e6,
      memory_growth_megabytes: growth / 1e6,
    },
  }
}

async function makeExport({ client }: Account): Promise<{ bytes: number }> {
  const own = client.api(Exports)
  await own.create({ password: PASSWORD })
  for (;;) {
    const [made] = await own.list()
    if (made?.state === 'ready' || made?.state === 'failed') return { bytes: made.size_bytes ?? 0 }
    await sleep(POLL_MS)
  }
}
