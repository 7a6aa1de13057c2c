// Measures the latency and CPU time of a page of 50 messages with replies, reactions, files, mentions and authors.
import type { Message } from '@foyer/protocol/messages'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { getRequest, HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { cpuBetween, readCpuTimes } from './server/usage.ts'

const PAGE = 50
const PEOPLE = 10
const MAX_CPU_MS = 3
const MAX_P99_MS = 15

const options = readOptions(
  { messages: 4_000_000, pages: 3000, warmup: 500 },
  { messages: 400, pages: 20, warmup: 5 },
)
const { messages, pages, warmup } = options.numbers
const { latencies, serverMs, postgresMs, problems } = await withFoyer(options, measure)
const slow = {
  'CPU a page': serverMs + postgresMs > MAX_CPU_MS,
  p99: percentile(latencies, 0.99) > MAX_P99_MS,
}
report({
  ...options,
  name: 'history',
  problems: [
    ...problems,
    ...Object.entries(slow).flatMap(([what, is]) => (is && !options.isSmoke ? [what] : [])),
  ],
  figures: {
    messages,
    page_p50_ms: percentile(latencies, 0.5),
    page_p99_ms: percentile(latencies, 0.99),
    server_cpu_ms_per_page: serverMs,
    postgres_cpu_ms_per_page: postgresMs,
  },
})

async function measure(foyer: Foyer) {
  const [reader, ...others] = await signUp(foyer.port, PEOPLE)
  if (reader === undefined) throw new Error('nobody reads')
  const anchors = await fill(foyer, reader, others)
  const connection = new HttpConnection(foyer.port)
  const read = (anchor: string) =>
    connection.send(getRequest(reader, `/api/rooms/${reader.roomId}/messages?before=${anchor}&limit=${PAGE}`))
  for (const anchor of anchors.slice(0, warmup)) await read(anchor)
  const before = readCpuTimes(foyer)
  const [latencies, problems]: [number[], string[]] = [[], []]
  for (const anchor of anchors.slice(warmup)) {
    const startedAt = performance.now()
    const page = await read(anchor)
    latencies.push(performance.now() - startedAt)
    if (latencies.length % 100 === 1) problems.push(...problemsOf(page))
  }
  const cpu = cpuBetween(before, readCpuTimes(foyer))
  connection.close()
  const perPage = (seconds: number) => (seconds / latencies.length) * 1000
  return { latencies, problems, serverMs: perPage(cpu.server), postgresMs: perPage(cpu.postgres) }
}

/** Fills the room. Returns ids of messages from all over its history, before which pages can begin. */
async function fill(foyer: Foyer, reader: Account, others: readonly Account[]): Promise<string[]> {
  const { code } = await reader.client.invites.create(reader.spaceId, reader.roomId)
  for (const other of others) await other.client.invites.join(code)
  return withDatabase(foyer, async (database) => {
    const authorIds = [reader, ...others].map(({ userId }) => userId)
    const { spaceId, roomId } = reader
    await fillRoom(database, { spaceId, roomId, authorIds, count: messages })
    await database.execute(sql`analyze messages, reactions, reaction_counts, attachments`)
    const places = Array.from({ length: warmup + pages }, () =>
      Math.ceil(PAGE + Math.random() * (messages - PAGE)),
    )
    const rows = await database.query<{ id: string }>(sql`
      select id from unnest(${places}::bigint[]) as seq
      join messages using (seq) where tenant_id = ${spaceId} and channel_id = ${roomId}`)
    return rows.map(({ id }) => id)
  })
}

/** Lists what a page should contain but does not. */
function problemsOf(json: string): string[] {
  const page: Message[] = JSON.parse(json)
  const has = {
    messages: page.length >= PAGE - 1,
    replies: page.some(({ referenced_message }) => referenced_message !== null),
    reactions: page.some(({ reactions }) => reactions.length === 2),
    files: page.some(({ attachments }) => attachments.length > 0),
    mentions: page.some(({ mentions }) => mentions.length > 0),
  }
  return Object.entries(has).flatMap(([what, is]) => (is ? [] : [`a page without ${what}`]))
}
