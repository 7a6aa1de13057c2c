import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'
import { connect, openSession, resume } from '#test/gateway-client.ts'
import { startPgBouncer, type TestPgBouncer, withoutPgBouncer } from '#test/postgres/pgbouncer.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { allowPages } from '#test/scenes/web-pages.ts'
import { until } from '#test/until.ts'
import { enqueueJob } from '../jobs.ts'
import { sql } from './sql.ts'

const skip = withoutPgBouncer

let database: TestDatabase
let dataDir: string
before(async () => {
  database = await cloneDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-pooled-'))
})
after(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

for (const pooling of ['session', 'transaction'] as const) {
  test(`DATA-12: everything works through a PgBouncer that pools by ${pooling}`, { skip }, async () => {
    await using stack = new AsyncDisposableStack()
    const pgbouncer = await startPgBouncer(database.connection, pooling)
    stack.defer(() => pgbouncer.close())
    const server = await startBehind(pgbouncer, pooling)
    // Closed before the pooler, through which it ends its work.
    stack.defer(() => server.close())
    await assertAllWorks(server, pooling)
    const [session] = await server.deps.database.query<{ zone: string; timeout: string }>(sql`
      select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`)
    assert.deepEqual(session, { zone: 'UTC', timeout: '5s' })
  })
}

test('DATA-12: a PgBouncer without its connect_query is reported at the start', { skip }, async (t) => {
  const pgbouncer = await startPgBouncer(database.connection, 'transaction', 'select 1')
  t.after(() => pgbouncer.close())
  await assert.rejects(startBehind(pgbouncer, 'transaction'), /needs connect_query='set TimeZone to ''UTC''/)
})

test('DATA-12: pooling by transaction requires a direct connection, too', () => {
  const settings = { DATABASE_URL: 'postgresql://127.0.0.1/foyer', DATABASE_POOLING: 'transaction' }
  assert.throws(() => readConfig(settings), /DATABASE_POOLING=transaction needs DIRECT_DATABASE_URL/)
  assert.equal(readConfig({ ...settings, DIRECT_DATABASE_URL: 'x' }).databasePooling, 'transaction')
})

function startBehind({ url }: TestPgBouncer, pooling: 'session' | 'transaction'): Promise<RunningServer> {
  const { host = '', user = '', database: name = '' } = database.connection
  const direct = `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LINK_PREVIEWS: 'off',
    DATABASE_POOLING: pooling,
    DIRECT_DATABASE_URL: pooling === 'transaction' ? direct : '',
  }
  const log = pino({ level: 'silent' })
  return startServer({ config: readConfig(settings), connection: { connectionString: url }, log })
}

async function assertAllWorks(server: RunningServer, name: string): Promise<void> {
  const ada = await createPerson(server, `ada_${name}`)
  const grace = await createPerson(server, `grace_${name}`)
  const space = await makeSpace(ada, [grace])
  const identity = await openSession(server, grace.id)
  const listener = await connect(server, grace)
  // Many at once, so that connections change hands.
  const contents = Array.from({ length: 40 }, (_, index) => `${name} teapot${index}`)
  await Promise.all(contents.map((content) => ada.client.messages.create(space.general, { content })))
  const listed = await grace.client.messages.list(space.general, { limit: 100 })
  assert.deepEqual(listed.map(({ content }) => content).toSorted(), contents.toSorted())
  assert.match(listed[0]?.created_at ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  await until(async () => listener.heard('MESSAGE_CREATE').length === contents.length, 'all is heard')
  const found = await grace.client.search.space(space.id, { query: 'teapot39' })
  assert.equal(found.messages.length, 1)
  const ready = await listener.findEvent('READY')
  listener.close()
  const resumed = await resume(server, identity, ready.s ?? '')
  assert.equal(resumed.heard('RESUMED').length, 1)
  resumed.close()
  await assertPageWorks(server, ada, space)
  await server.deps.database.transaction((transaction) => enqueueJob(transaction, 'sweep', {}, name))
  await until(async () => {
    const left = await server.deps.database.query(
      sql`select id from graphile_worker.jobs where key = ${name}`,
    )
    return left.length === 0
  }, 'the job is done')
}

/** Pages for people without an account are read through a connection of their own. */
async function assertPageWorks(server: RunningServer, ada: Person, space: TestSpace): Promise<void> {
  await allowPages(server)
  await ada.client.api(WebRooms).open(space.general)
  await ada.client.messages.create(space.general, { content: 'open to everyone' })
  const answer = await fetch(`${server.url}/read/${space.id}/${space.general}/feed.atom`)
  assert.match(await answer.text(), /open to everyone/)
}
