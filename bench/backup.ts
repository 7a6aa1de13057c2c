// Measures how long a backup and a restore take, and how much slower messages are sent during the backup.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../apps/server/src/kernel/database/database.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { HttpConnection } from './load/http-connection.ts'
import { percentile } from './load/latencies.ts'
import { fillRoom, withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const MAX_BACKUP_SECONDS = 300
const MAX_RESTORE_SECONDS = 600
const MAX_SLOWDOWN = 1.5
const PACE_MS = 40
const PASSPHRASE = 'a passphrase for benchmarks'
const SOURCES = join(import.meta.dirname, '../apps/server/src')

// Every tenth message has a file: 5 GB in total by default.
const options = readOptions(
  { messages: 1_000_000, 'file-bytes': 50_000, calm: 60 },
  { messages: 2000, 'file-bytes': 5000, calm: 1 },
)
const { messages, calm, 'file-bytes': fileBytes } = options.numbers
const { problems, figures } = await withFoyer(options, measure)
report({ ...options, name: 'backup', problems, figures: { messages, ...figures } })

async function measure(foyer: Foyer) {
  const [sender] = await signUp(foyer.port, 1)
  if (sender === undefined) throw new Error('nobody sends')
  const files = await withDatabase(foyer, (database) => fill(database, foyer, sender))
  const before = await whileSending(foyer, sender, () => sleep(calm * 1000))
  const repository = `${foyer.dataDir}-backups`
  const backup = await whileSending(foyer, sender, () => run('backup', foyer.dataDir, `--to=${repository}`))
  const again = await whileSending(foyer, sender, () => run('backup', foyer.dataDir, `--to=${repository}`))
  const restored = await whileSending(foyer, sender, () =>
    run('restore', `${foyer.dataDir}-restored`, `--from=${repository}`),
  )
  const slowdown = percentile(backup.times, 0.99) / percentile(before.times, 0.99)
  return {
    problems: options.isSmoke
      ? []
      : problemsOf({ backup: backup.seconds, restore: restored.seconds, slowdown }),
    figures: {
      files,
      file_megabytes: (files * fileBytes) / 1e6,
      backup_seconds: backup.seconds,
      second_backup_seconds: again.seconds,
      restore_seconds: restored.seconds,
      send_p99_before_ms: percentile(before.times, 0.99),
      send_p99_during_backup_ms: percentile(backup.times, 0.99),
    },
  }
}

function problemsOf({
  backup,
  restore,
  slowdown,
}: Record<'backup' | 'restore' | 'slowdown', number>): string[] {
  return [
    ...(backup > MAX_BACKUP_SECONDS ? ['the backup takes too long'] : []),
    ...(restore > MAX_RESTORE_SECONDS ? ['the restore takes too long'] : []),
    ...(slowdown > MAX_SLOWDOWN
      ? [`sending takes ${slowdown.toFixed(2)} times as long during a backup`]
      : []),
  ]
}

/** Fills a room, and writes the files of its messages. Returns the number of files. */
async function fill(
  database: Database,
  { dataDir }: Foyer,
  { spaceId, roomId, userId }: Account,
): Promise<number> {
  await fillRoom(database, { spaceId, roomId, authorIds: [userId], count: messages })
  const rows = await database.query<{ id: string }>(
    sql`select id from attachments where tenant_id = ${spaceId}`,
  )
  await mkdir(join(dataDir, 'files', spaceId), { recursive: true })
  const noise = randomBytes(fileBytes)
  for (const { id } of rows) {
    // Each file is different, and cannot be compressed.
    noise.write(id, 0)
    const path = join(dataDir, 'files', spaceId, id)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, noise)
  }
  for (let from = 0; from < rows.length; from += 10_000) {
    const ids = rows.slice(from, from + 10_000).map(({ id }) => id)
    await database.execute(sql`
      update attachments set size_bytes = ${fileBytes} where tenant_id = ${spaceId} and id = any(${ids})`)
  }
  return rows.length
}

interface Timed {
  seconds: number
  /** Milliseconds from sending each message to its acknowledgement. */
  times: number[]
}

/** Sends a message every 40 ms until the work is done. */
async function whileSending({ port }: Foyer, sender: Account, work: () => Promise<unknown>): Promise<Timed> {
  const connection = new HttpConnection(port)
  const times: number[] = []
  const startedAt = performance.now()
  let isWorking = true
  const working = work().finally(() => {
    isWorking = false
  })
  // The failure is thrown below. This only avoids an unhandled rejection.
  working.catch(() => undefined)
  while (isWorking) {
    const sentAt = performance.now()
    await connection.send(requestOf(sender))
    times.push(performance.now() - sentAt)
    await sleep(Math.max(0, sentAt + PACE_MS - performance.now()))
  }
  connection.close()
  await working
  return { seconds: (performance.now() - startedAt) / 1000, times }
}

function requestOf({ roomId, accessToken, sessionToken }: Account): string {
  const body = JSON.stringify({ content: 'Shall we meet at eight tonight?', nonce: crypto.randomUUID() })
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

/** Runs a command as the server runs backups: with low priority. */
async function run(name: 'backup' | 'restore', dataDir: string, place: string): Promise<void> {
  const command = ['-n', '10', process.execPath, join(SOURCES, `${name}.ts`), place]
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', BACKUP_PASSPHRASE: PASSPHRASE }
  const child = spawn('nice', command, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`${name}: ${errors}`)
}
