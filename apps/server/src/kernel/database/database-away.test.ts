import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { type EmbeddedPostgres, launchPostgres } from '#src/postgres/launch.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'
import { enqueueJob } from '../jobs.ts'
import { sql } from '../sql/sql.ts'

const MAX_CONNECTIONS = 40
const USER = '/api/users/@me/friends'

let dataDir: string
let postgres: EmbeddedPostgres
let connection: pg.ClientConfig
let server: RunningServer
let ada: Person
let room: string

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-away-'))
  postgres = await launch()
  // By the link, because each start has a socket of its own. The bounds are short so that the test is.
  const bounds = { connectionTimeoutMillis: 2000, query_timeout: 2000 }
  connection = { ...postgres.connection, host: join(dataDir, 'postgres-socket') }
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LINK_PREVIEWS: 'off' })
  server = await startServer({
    config,
    connection: { ...connection, ...bounds },
    log: pino({ level: 'silent' }),
  })
  ada = await createPerson(server, 'ada')
  room = (await makeSpace(ada)).general
})
after(async () => {
  await server.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('DATA-4: everything that needs the database is 503 while it is stopped, and works once it is back', async () => {
  await postgres.stop()
  await assertUnavailable('/api/health')
  assert.deepEqual(await codeOf(USER), [503, 'unavailable'])
  assert.deepEqual(await codeOfSend('while it is stopped'), [503, 'unavailable'])
  postgres = await launch()
  await untilWorking()
  assert.ok(!(await contents()).includes('while it is stopped'))
})

test('DATA-4: a killed database is soon back in use, including for jobs', async () => {
  process.kill(postgres.pid, 'SIGKILL')
  await untilWorking()
  await server.deps.database.transaction((transaction) =>
    enqueueJob(transaction, 'sweep', {}, 'after a kill'),
  )
  await until(async () => {
    const left = await server.deps.database.query(sql`
      select id from graphile_worker.jobs where key = 'after a kill'`)
    return left.length === 0
  }, 'the job is done')
})

test('DATA-5: a hanging database is given up after a while, and what it committed after all is published', async () => {
  const client = await connect(server, ada)
  const pids = await processesOf(postgres.pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const answers = await Promise.all([codeOfSend('into the silence'), codeOf(USER)])
    assert.deepEqual(answers, [
      [503, 'unavailable'],
      [503, 'unavailable'],
    ])
    await assertUnavailable('/api/health')
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await untilWorking()
  await until(async () => (await contents()).includes('into the silence'), 'it was stored')
  await client.find(({ text }) => text.includes('into the silence'), 'what was stored')
  client.close()
})

test('DATA-4: requests are 503 without a free connection, and work once there is one', async () => {
  const hogs: pg.Client[] = []
  await until(async () => {
    await hog(hogs)
    const [status, code] = await codeOf(USER)
    if (status === 503) assert.equal(code, 'unavailable')
    return status === 503
  }, 'no connection is left')
  await Promise.all(hogs.map((client) => client.end()))
  await untilWorking()
})

test('DATA-6: a database that becomes read-only is left for a writable one', async () => {
  await ask('alter database foyer set default_transaction_read_only = on')
  await endConnections()
  assert.deepEqual(await codeOfSend('to a standby'), [503, 'unavailable'])
  const renamed = await ada.call('PATCH', '/api/users/@me', { alias: 'Countess' })
  assert.deepEqual([renamed.status, renamed.code], [503, 'unavailable'])
  await ask('begin read write; alter database foyer reset default_transaction_read_only; commit')
  await untilWorking()
})

function launch(): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off', max_connections: `${MAX_CONNECTIONS}` }
  return launchPostgres({ dataDir, settings, log: () => undefined })
}

async function assertUnavailable(path: string): Promise<void> {
  const { status, headers } = await fetch(server.url + path)
  const answer = [status, headers.get('x-error-code'), headers.get('retry-after')]
  assert.deepEqual(answer, [503, 'unavailable', '1'])
}

async function codeOf(path: string): Promise<[number, string | null]> {
  const { status, code } = await ada.call('GET', path)
  return [status, code]
}

async function codeOfSend(content: string): Promise<[number, string | null]> {
  const { status, code } = await ada.call('POST', `/api/rooms/${room}/messages`, { content })
  return [status, code]
}

async function contents(): Promise<string[]> {
  const messages = await ada.client.messages.list(room)
  return messages.map(({ content }) => content)
}

/** Until a read, a change and a message are all well at once. */
async function untilWorking(): Promise<void> {
  await until(async () => {
    const read = await ada.call('GET', USER)
    const change = await ada.call('PATCH', '/api/users/@me', { alias: 'Ada' })
    const [sent] = await codeOfSend('again')
    const health = await fetch(`${server.url}/api/health`)
    return [read.status, change.status, sent, health.status].every((status) => status === 200)
  }, 'everything works again')
}

/** The main process and its children, none of which is born while it is stopped first. */
async function processesOf(main: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(pids.map(parentOf))
  return [main, ...pids.filter((_, index) => parents[index] === main)]
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])
}

/** Takes every connection that there is, those of the server too. */
async function hog(hogs: pg.Client[]): Promise<void> {
  await endConnections(hogs)
  for (;;) {
    const client = new pg.Client({ ...connection, application_name: 'hog' })
    client.on('error', () => undefined)
    const refused = await client.connect().then(
      () => hogs.push(client) === 0,
      () => true,
    )
    if (refused) return
  }
}

/** Connections of the server. */
async function endConnections(own: readonly pg.Client[] = []): Promise<void> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'hog'`
  const [first] = own
  if (first === undefined) await ask(text)
  else await first.query(text)
}

async function ask(text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
