import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type EmbeddedPostgres, launchPostgres } from '#src/postgres/launch.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { type Standby, startStandby } from '#test/postgres/standby.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'
import { Replica } from './replica.ts'

// Processes are found in /proc.
const skip = process.platform !== 'linux'

let dataDir: string
let primary: EmbeddedPostgres
let standby: Standby
let server: RunningServer
let ada: Person
let space: TestSpace
let sent = 0

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-replica-'))
  const settings = { fsync: 'off', wal_level: 'replica' }
  primary = await launchPostgres({ dataDir, settings, log: () => undefined })
  standby = await startStandby(primary, join(dataDir, 'postgres'))
  await standby.start()
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LINK_PREVIEWS: 'off',
    READ_DATABASE_URL: standby.url,
  })
  server = await startServer({ config, connection: primary.connection, log: pino({ level: 'silent' }) })
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(async () => {
  await server.close()
  await standby.remove()
  await primary.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('DATA-8: history and search are read on the replica, and have the newest message', {
  skip,
}, async () => {
  await untilRead('replica')
  // The last query of each connection, as reported by the standby.
  await until(async () => {
    await assertReadAtOnce()
    // Last, so that nothing else was asked on its connections since: a search looks how far the standby is.
    await ada.client.messages.list(space.general)
    const asked = await askStandby('select application_name || query as text from pg_stat_activity')
    const hasAsked = (pattern: RegExp) => asked.some(({ text }) => pattern.test(text))
    return hasAsked(/^foyer replica.* from (messages|users|members) /s) && hasAsked(/^foyer search/)
  }, 'pages and search were read on the standby')
})

test('DATA-8: the primary is read while the replica lags, so users see their own changes', {
  skip,
}, async () => {
  await untilRead('replica')
  await askStandby('select pg_wal_replay_pause()')
  for (let count = 0; count < 3; count += 1) await assertReadAtOnce()
  assert.equal(await placeOfRead(), 'primary')
  await askStandby('select pg_wal_replay_resume()')
  await untilRead('replica')
  await assertReadAtOnce()
})

test('DATA-8: users do not notice a hanging or killed replica, and it is used again once it is back', {
  skip,
}, async () => {
  await untilRead('replica')
  await standby.signal('SIGSTOP')
  try {
    await assertReadAtOnce()
    assert.equal(await placeOfRead(), 'primary')
  } finally {
    await standby.signal('SIGCONT')
  }
  await untilRead('replica')
  const reading = Promise.all(Array.from({ length: 20 }, assertReadAtOnce))
  await standby.kill()
  await reading
  await assertReadAtOnce()
  assert.equal(await placeOfRead(), 'primary')
  await standby.start()
  await untilRead('replica')
  await assertReadAtOnce()
})

test('DATA-8: a replica that is down at first is used once it is up', {
  skip,
}, async (t) => {
  await standby.kill()
  const { connection } = standby
  const replica = new Replica({ primary: server.deps.database, connection, onError: () => undefined })
  t.after(() => replica.close())
  assert.equal(await replica.isUpToDate(), false)
  await standby.start()
  await until(() => replica.isUpToDate(), 'the replica is used')
})

test('DATA-8: a replica that has not replayed an update yet, and serves the database from before, is not read', {
  skip,
}, async (t) => {
  const elsewhere = new pg.Client({ ...primary.connection, database: 'postgres' })
  await elsewhere.connect()
  t.after(() => elsewhere.end())
  await elsewhere.query('create database swapped')
  const named = { ...primary.connection, database: 'swapped' }
  await askOn(named, `create table states as select 'before' as state`)
  await untilReplayed()
  await askStandby('select pg_wal_replay_pause()')
  await elsewhere.query('alter database swapped rename to swapped_before_update')
  await elsewhere.query('create database swapped template swapped_before_update')
  await askOn(named, `update states set state = 'after'`)
  const replica = new Replica({
    primary: server.deps.database,
    connection: { ...standby.connection, database: 'swapped' },
    onError: () => undefined,
  })
  t.after(() => replica.close())
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await replica.isUpToDate(), false)
    await delay(60)
  }
  await askStandby('select pg_wal_replay_resume()')
  await until(() => replica.isUpToDate(), 'the replica is used')
  assert.deepEqual(await replica.query(sql`select state from states`), [{ state: 'after' }])
})

async function untilReplayed(): Promise<void> {
  const [row] = await askOn(primary.connection, 'select pg_current_wal_insert_lsn()::text as text')
  await until(
    async () =>
      (await askStandby(`select (pg_last_wal_replay_lsn() >= '${row?.text}')::text as text`))[0]?.text ===
      'true',
    'the standby has replayed everything',
  )
}

async function assertReadAtOnce(): Promise<void> {
  sent += 1
  const content = `teacup${sent}`
  const message = await ada.client.messages.create(space.general, { content })
  const page = await ada.client.messages.list(space.general)
  assert.ok(page.some(({ id }) => id === message.id))
  const found = await ada.client.search.space(space.id, { query: content })
  assert.deepEqual(
    found.messages.map(({ id }) => id),
    [message.id],
  )
}

function placeOfRead(): Promise<string> {
  return server.deps.reads.run(async (_, place) => place)
}

function untilRead(place: string): Promise<void> {
  return until(async () => (await placeOfRead()) === place, `reads go to the ${place}`)
}

function askStandby(text: string): Promise<{ text: string }[]> {
  return askOn(standby.connection, text)
}

async function askOn(connection: pg.ClientConfig, text: string): Promise<{ text: string }[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ text: string }>(text).finally(() => client.end())
  return rows
}
