// Measures the latency and CPU time of a page of 100 audit log entries, with each set of filters.
import type { AuditLogPage } from '@foyer/protocol/audit-log'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { getRequest, HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { cpuBetween, readCpuTimes } from './server/usage.ts'

const PAGE = 100
const MAX_P99_MS = 20
const DAY_MS = 86_400_000
const FILLED_AT_ONCE = 5_000

const options = readOptions(
  { entries: 1_000_000, pages: 500, warmup: 50 },
  { entries: 2000, pages: 10, warmup: 2 },
)
const { entries, pages, warmup } = options.numbers
const { latencies, cpuMs, problems } = await withFoyer(options, measure)
const figures = Object.entries(latencies).flatMap(([name, times]) => [
  [`${name}_p50_ms`, percentile(times, 0.5)],
  [`${name}_p99_ms`, percentile(times, 0.99)],
])
const slow = Object.entries(latencies).filter(([, times]) => percentile(times, 0.99) > MAX_P99_MS)
report({
  ...options,
  name: 'audit-log',
  problems: [
    ...problems,
    ...(options.isSmoke ? [] : slow.map(([name]) => `${name}: p99 over ${MAX_P99_MS} ms`)),
  ],
  figures: { entries, ...Object.fromEntries(figures), cpu_ms_per_page: cpuMs },
})

async function measure(foyer: Foyer) {
  const [reader] = await signUp(foyer.port, 1)
  if (reader === undefined) throw new Error('nobody reads')
  await fill(foyer, reader)
  const connection = new HttpConnection(foyer.port)
  const latencies: Record<string, number[]> = {}
  const problems: string[] = []
  const before = readCpuTimes(foyer)
  for (const [name, query] of Object.entries(queriesOf(reader))) {
    const { times, empty } = await readPages(connection, reader, query)
    latencies[name] = times.slice(warmup)
    if (empty > 0) problems.push(`${name}: ${empty} empty pages`)
  }
  const cpu = cpuBetween(before, readCpuTimes(foyer))
  connection.close()
  const count = Object.keys(latencies).length * (warmup + pages)
  return { latencies, cpuMs: ((cpu.server + cpu.postgres) / count) * 1000, problems }
}

async function readPages(connection: HttpConnection, reader: Account, query: () => string) {
  const times: number[] = []
  let empty = 0
  for (let index = 0; index < warmup + pages; index++) {
    const startedAt = performance.now()
    const page: AuditLogPage = JSON.parse(
      await connection.send(
        getRequest(reader, `/api/spaces/${reader.spaceId}/audit-log?${query()}&limit=${PAGE}`),
      ),
    )
    times.push(performance.now() - startedAt)
    if (page.entries.length === 0) empty += 1
  }
  return { times, empty }
}

/** Queries that begin at a random time, so that each page differs. `rare` matches a hundred entries. */
function queriesOf({ userId, spaceId }: Account): Record<string, () => string> {
  const before = () => `before=${new Date(Date.now() - Math.random() * 80 * DAY_MS).toISOString()}`
  return {
    all: before,
    actor: () => `${before()}&actor_id=${userId}`,
    action: () => `${before()}&action=member_join`,
    actor_and_action: () => `${before()}&actor_id=${userId}&action=message_delete`,
    target: () => `${before()}&target_id=${spaceId}`,
    rare: () => `actor_id=${userId}&action=ban_create`,
  }
}

/** Fills the log: about 90 % joins of other users, a hundred bans by this account, and deletions, half of them by this account. */
async function fill(foyer: Foyer, { userId, spaceId }: Account): Promise<void> {
  const rareEvery = Math.ceil(entries / 100)
  const everyMs = Math.floor((90 * DAY_MS) / entries)
  await withDatabase(foyer, async (database) => {
    for (let from = 1; from <= entries; from += FILLED_AT_ONCE)
      await database.execute(sql`
        insert into audit_log (space_id, id, action, actor_id, target_type, target_id, before, after)
        select ${spaceId}, (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
          case when n % ${rareEvery} = 7 then 'ban_create' when n % 10 = 0 then 'message_delete' else 'member_join' end,
          case when n % ${rareEvery} = 7 or n % 20 = 0 then ${userId}::uuid else md5((n % 5000)::text)::uuid end,
          'user', case when n % 50 = 0 then ${spaceId}::uuid else md5((n % 5000)::text)::uuid end,
          '{"invite_id":null}', '{"nickname":"Kim"}'
        from generate_series(${from}::integer, ${Math.min(entries, from + FILLED_AT_ONCE - 1)}::integer) as n,
          lateral (select (extract(epoch from now()) * 1000)::bigint - n::bigint * ${everyMs}) as at (ms)`)
    await database.execute(sql`analyze audit_log`)
  })
}
