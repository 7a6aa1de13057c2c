// Measures the bytes that a message adds to each table with its indexes, to the log sent to standbys, and to the bus.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../apps/server/src/kernel/database/database.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { HttpConnection } from './load/http-connection.ts'
import { withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const WORDS =
  `the and you that was for are with his they this have from one had word but not what all were when your can
  said there use each which she how their will other about out many then them these some her would make like into time has
  look two more write see number way could people than first water been call who oil its now find long down day did get
  come made may part meeting tomorrow coffee server deploy weekend photo thanks`.split(/\s+/)
const MEAN_WORDS = 10
const POLL_MS = 100

const options = readOptions({ messages: 20_000, rooms: 16 }, { messages: 320, rooms: 4 })
const { messages, rooms } = options.numbers
const figures = await withFoyer(options, (foyer) =>
  withDatabase(foyer, (database) => measure(foyer, database)),
)
const isWhole = figures.stored === messages
report({ ...options, name: 'storage-growth', problems: isWhole ? [] : ['messages are missing'], figures })

async function measure({ port }: Foyer, database: Database) {
  const accounts = await signUp(port, rooms)
  const before = await readSizes(database)
  await Promise.all(accounts.map((account) => send(port, account)))
  await untilIndexed(database)
  const after = await readSizes(database)
  const each = (name: keyof Sizes) => (after[name] - before[name]) / messages
  const [mean] = await database.query<{ content: number; event: number; stored: number }>(sql`
    select avg(octet_length(content))::float8 as content, count(*) as stored,
      (select avg(octet_length(data)) from events where name = 'MESSAGE_CREATE')::float8 as event
    from messages where type = 0`)
  return {
    stored: mean?.stored ?? 0,
    content_bytes: mean?.content ?? 0,
    event_bytes: mean?.event ?? 0,
    messages_bytes_per_message: each('messages'),
    search_bytes_per_message: each('search'),
    nonces_bytes_per_message: each('nonces'),
    journal_bytes_per_message: each('journal'),
    log_bytes_per_message: each('log'),
  }
}

async function send(port: number, account: Account): Promise<void> {
  const connection = new HttpConnection(port)
  for (let count = 0; count < messages / rooms; count += 1) await connection.send(requestOf(account))
  connection.close()
}

function requestOf({ roomId, accessToken, sessionToken }: Account): string {
  // Most messages are short and few are long, as people write.
  const length = Math.ceil(-Math.log(1 - Math.random()) * MEAN_WORDS)
  const words = Array.from({ length }, () => WORDS[Math.floor(Math.random() * WORDS.length)])
  const body = JSON.stringify({ content: words.join(' '), nonce: crypto.randomUUID() })
  return [
    `POST /api/rooms/${roomId}/messages HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${accessToken}`,
    `x-session-token: ${sessionToken}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

async function untilIndexed(database: Database): Promise<void> {
  for (;;) {
    const behind = await database.query(sql`
      select channel_id from message_heads left join search_marks using (tenant_id, channel_id)
      where last_seq > coalesce(indexed_seq, 0) limit 1`)
    if (behind.length === 0) return
    await sleep(POLL_MS)
  }
}

interface Sizes {
  messages: number
  search: number
  nonces: number
  journal: number
  log: number
}

/** Returns the bytes of each table with its indexes. */
async function readSizes(database: Database): Promise<Sizes> {
  const [sizes] = await database.query<Sizes>(sql`
    select pg_total_relation_size('messages') as messages, pg_total_relation_size('message_words') as search,
      pg_total_relation_size('message_nonces') as nonces, pg_current_wal_lsn() - '0/0' as log,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('events'))::bigint as journal`)
  if (sizes === undefined) throw new Error('the database returned no sizes')
  return { ...sizes, log: Number(sizes.log) }
}
