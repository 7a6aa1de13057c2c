// Measures pages that are read without an account: cached pages, new pages, and how fast members send while crawlers read.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { cpuBetween, readCpuTimes } from './server/usage.ts'
import type { Crawl, Crawled } from './web-pages/crawler.ts'

const CONNECTIONS = 8
const CRAWLED_A_SECOND = 200
const SENT_A_SECOND = 100
const TURN_SECONDS = 4
const PAGES_A_TURN = CRAWLED_A_SECOND * TURN_SECONDS
/** Duration of the measured part of a turn. Crawlers begin before and end after this part. */
const MEASURED_SECONDS = 3
const FIRST_SENDS = 50
/** Month of the first message of a filled room. */
const MONTH = '2023-11'

const options = readOptions(
  { messages: 1_000_000, kept: 40_000, fresh: 1000, turns: 20 },
  { messages: 400, kept: 200, fresh: 10, turns: 1 },
)
const { messages, kept, fresh, turns } = options.numbers
const { keptPerCore, freshMs, calmMs, crawledMs, crawls } = await withFoyer(options, measure)
const p99Ratio = percentile(crawledMs, 0.99) / percentile(calmMs, 0.99)
const slow = {
  'kept pages a core': keptPerCore < 5000,
  'time to a new page': percentile(freshMs, 0.95) > 50,
  'sends beside crawlers': p99Ratio > 1.05,
}
report({
  ...options,
  name: 'web-pages',
  problems: Object.entries(slow).flatMap(([what, is]) => (is && !options.isSmoke ? [what] : [])),
  figures: {
    messages,
    kept_pages_per_second_and_core: keptPerCore,
    new_page_p50_ms: percentile(freshMs, 0.5),
    new_page_p95_ms: percentile(freshMs, 0.95),
    crawled_pages_per_second: sumOf(crawls, 'received') / sumOf(crawls, 'seconds'),
    crawlers_refused: sumOf(crawls, 'refused') / (sumOf(crawls, 'refused') + sumOf(crawls, 'received')),
    send_p99_calm_ms: percentile(calmMs, 0.99),
    send_p99_beside_crawlers_ms: percentile(crawledMs, 0.99),
    send_p99_ratio: p99Ratio,
  },
})

function sumOf(crawls: readonly Crawled[], key: keyof Crawled): number {
  return crawls.reduce((sum, crawl) => sum + crawl[key], 0)
}

async function measure(foyer: Foyer) {
  const [owner] = await signUp(foyer.port, 1)
  if (owner === undefined) throw new Error('nobody owns a room')
  const anchors = await fill(foyer, owner)
  const path = `/read/${owner.spaceId}/${owner.roomId}`
  const { headers } = await fetch(`http://127.0.0.1:${foyer.port}${path}`, { redirect: 'manual' })
  const room = headers.get('location') ?? path
  const keptPerCore = await readKept(foyer, `${room}/${MONTH}`)
  const pages = anchors.map((anchor) => `${room}/${MONTH}?after=${anchor}`)
  const freshMs = await readFresh(foyer, pages.slice(0, fresh))
  return { keptPerCore, freshMs, ...(await sendByTurns(foyer, owner, pages.slice(fresh))) }
}

/** Sends without and with crawlers, each first in every other turn, so that other load of the machine affects both alike. */
async function sendByTurns(foyer: Foyer, owner: Account, pages: readonly string[]) {
  const calmMs: number[] = []
  const crawledMs: number[] = []
  const crawls: Crawled[] = []
  const sendCalmly = async () => calmMs.push(...(await send(foyer, owner)))
  for (let turn = 0; turn < turns; turn += 1) {
    const crawled = pages.slice(turn * PAGES_A_TURN, (turn + 1) * PAGES_A_TURN)
    if (turn % 2 === 0) await sendCalmly()
    const crawler = await startCrawler(foyer, crawled)
    crawledMs.push(...(await send(foyer, owner)))
    crawls.push(await crawler.ended)
    if (turn % 2 === 1) await sendCalmly()
  }
  return { calmMs, crawledMs, crawls }
}

/** Opens a filled room to the web. Returns ids after which pages begin. */
async function fill(foyer: Foyer, { spaceId, roomId, userId }: Account): Promise<string[]> {
  return withDatabase(foyer, async (database) => {
    await fillRoom(database, { spaceId, roomId, authorIds: [userId], count: messages })
    await database.execute(sql`insert into server_settings (public_pages) values (true)
      on conflict (is_only) do update set public_pages = true`)
    await database.execute(sql`insert into web_rooms (space_id, room_id, since)
      values (${spaceId}, ${roomId}, ${new Date(0)})`)
    await database.execute(sql`analyze messages, attachments`)
    const count = fresh + PAGES_A_TURN * turns
    const places = Array.from({ length: count }, () => Math.ceil(Math.random() * messages))
    const rows = await database.query<{ id: string }>(sql`
      select id from unnest(${places}::bigint[]) as seq
      join messages using (seq) where tenant_id = ${spaceId} and channel_id = ${roomId}`)
    return rows.map(({ id }) => id)
  })
}

function pageRequest(path: string): string {
  return [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept-encoding: br', '\r\n'].join('\r\n')
}

/** Returns the number of cached pages served per second of the server's CPU time. */
async function readKept(foyer: Foyer, path: string): Promise<number> {
  const connections = Array.from({ length: CONNECTIONS }, () => new HttpConnection(foyer.port))
  await connections[0]?.send(pageRequest(path))
  const before = readCpuTimes(foyer)
  await Promise.all(
    connections.map(async (connection) => {
      for (let count = 0; count < kept / CONNECTIONS; count += 1) await connection.send(pageRequest(path))
      connection.close()
    }),
  )
  return kept / cpuBetween(before, readCpuTimes(foyer)).server
}

async function readFresh(foyer: Foyer, paths: readonly string[]): Promise<number[]> {
  const connection = new HttpConnection(foyer.port)
  const latencies: number[] = []
  for (const path of paths) {
    const startedAt = performance.now()
    await connection.send(pageRequest(path))
    latencies.push(performance.now() - startedAt)
  }
  connection.close()
  return latencies
}

/** Starts a process that requests new pages at a fixed rate. It has the lowest priority, because real crawlers run on other machines. */
async function startCrawler({ port }: Foyer, paths: readonly string[]): Promise<{ ended: Promise<Crawled> }> {
  const crawler = fork(new URL('web-pages/crawler.ts', import.meta.url))
  setPriority(crawler.pid ?? 0, constants.priority.PRIORITY_LOW)
  await once(crawler, 'message')
  crawler.send({ port, pagesPerSecond: CRAWLED_A_SECOND, requests: paths.map(pageRequest) } satisfies Crawl)
  const result = once(crawler, 'message')
  return { ended: once(crawler, 'exit').then(async () => (await result)[0]) }
}

/** Sends messages at a fixed rate. Returns the milliseconds until each was acknowledged, without the first FIRST_SENDS. */
async function send({ port }: Foyer, account: Account): Promise<number[]> {
  const connection = new HttpConnection(port)
  const startedAt = performance.now()
  const latencies: number[] = []
  for (let index = 0; index < FIRST_SENDS + SENT_A_SECOND * MEASURED_SECONDS; index += 1) {
    await delay(Math.max(0, startedAt + (index * 1000) / SENT_A_SECOND - performance.now()))
    const sentAt = performance.now()
    await connection.send(messageRequest(account, `Message ${index}`))
    latencies.push(performance.now() - sentAt)
  }
  connection.close()
  return latencies.slice(FIRST_SENDS)
}

function messageRequest({ roomId, accessToken, sessionToken }: Account, content: string): string {
  const body = JSON.stringify({ content })
  const head = [
    `POST /api/rooms/${roomId}/messages HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${accessToken}`,
    `x-session-token: ${sessionToken}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '\r\n',
  ]
  return head.join('\r\n') + body
}
