import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { Administration } from '@foyer/sdk/api/administration'
import pg from 'pg'
import pino from 'pino'
import { type Config, readConfig } from '#src/config.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { keepClaimLink } from '#src/operating/operators/claim-link.ts'
import { startServer } from '#src/start.ts'
import { cloneDatabase, urlOf } from '#test/database.ts'
import { connect } from '#test/gateway-client.ts'
import { emailOf, send } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { TEST_PASSWORD, type TestServer, testServerOf } from '#test/server.ts'
import { runCommand } from './run.ts'

let server: TestServer
let config: Config
let ada: Person
const opened = new AsyncDisposableStack()

before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const database = await cloneDatabase()
  opened.defer(() => database.drop())
  const settings = { PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LINK_PREVIEWS: 'off' }
  config = readConfig({ ...settings, DATABASE_URL: urlOf(database) })
  const log = pino({ level: 'silent' })
  server = testServerOf(await startServer({ config, connection: database.connection, log }), dataDir)
  opened.defer(() => server.close())
  ada = await createOperator(server, 'ada')
})
after(() => opened.disposeAsync())

const run = (...words: string[]) => runCommand(config, words, () => undefined)

test('OPERATOR-13: the command line makes an operator of whoever is locked out, and a running server knows at once', async () => {
  const eve = await createPerson(server, 'eve')
  const gateway = await connect(server, eve)
  assert.deepEqual(await run('grant', 'eve'), ['eve is an operator'])
  await gateway.findEvent('USER_UPDATE')
  assert.equal((await eve.client.users.me()).flags, 1)
  assert.match((await run('list')).join(), /ada, since .*eve, since /)
  await run('revoke', 'eve')
  await assert.rejects(eve.client.api(Administration).list(), { code: 'operator_only' })
  await assert.rejects(run('revoke', 'ada'), /the server needs at least one operator/)
  gateway.close()
  const { entries } = await ada.client.api(Administration).log({ target_id: eve.id })
  assert.deepEqual(
    entries.map(({ action, actor_id }) => [action, actor_id]),
    [
      ['operator_revoke', null],
      ['operator_grant', null],
    ],
  )
})

test('OPERATOR-13: a lock by the command line ends sessions of a running server', async () => {
  const bea = await createPerson(server, 'bea')
  const gateway = await connect(server, bea)
  const [line] = await run('lock', 'bea@example.org', 'too', 'loud')
  assert.equal(line, `${bea.id}  bea  locked: too loud`)
  assert.equal(await gateway.closed, CloseCode.SessionEnded)
  assert.equal((await bea.call('GET', '/api/users/@me')).status, 401)
  assert.deepEqual(await run('find', 'be'), [line])
  assert.deepEqual(await run('unlock', bea.id), [`${bea.id}  bea`])
  assert.match(
    (await run('log')).join('\n'),
    /command line {2}user_unlock {2}bea\n.*user_lock {2}bea {2}too loud/,
  )
  assert.deepEqual(await run('remove-second-factor', 'bea'), [`${bea.id}  bea`])
  assert.deepEqual(await run('second-factor'), ['second factor: nobody'])
  assert.deepEqual(await run('second-factor', 'operators'), ['second factor: operators'])
  assert.equal((await ada.call('GET', '/api/operator/users')).code, 'second_factor_needed')
  await assert.rejects(run('second-factor', 'friends'), /this is not possible: friends/)
  assert.deepEqual(await run('second-factor', 'nobody'), ['second factor: nobody'])
  await run('delete-user', 'bea')
  await assert.rejects(run('lock', 'bea'), /there is no user bea/)
})

suite('a server that does not run', () => {
  test('OPERATOR-13: a change is committed together with the job that publishes it, and a repeated lock publishes again', async () => {
    const own = await startOffline()
    const warnings: string[] = []
    const lock = () => runCommand(own.config, ['lock', 'offline'], (text) => warnings.push(text))
    await lock()
    assert.equal(warnings.at(-1), 'saved; a running server has not taken it yet')
    const pool = new pg.Client(own.connection)
    await pool.connect()
    try {
      const { rows } = await pool.query(
        `select users.xmin = jobs.xmin as together, priority from users, graphile_worker._private_jobs as jobs
        join graphile_worker._private_tasks as tasks on tasks.id = task_id
        where username = 'offline' and identifier = 'publish_events'`,
      )
      assert.deepEqual(rows, [{ together: true, priority: -10 }])
      await lock()
      const waiting = await pool.query(
        "select from graphile_worker.jobs where task_identifier = 'publish_events'",
      )
      assert.equal(waiting.rowCount, 2)
      const log = await pool.query("select from operator_log where action = 'user_lock'")
      assert.equal(log.rowCount, 1)
    } finally {
      await pool.end()
    }
  })
})

/** A database with an account that a server made before it ended. */
async function startOffline(): Promise<{ config: Config; connection: pg.ClientConfig }> {
  const database = await cloneDatabase()
  opened.defer(() => database.drop())
  const own = readConfig({
    PORT: '0',
    VOICE_PORT: '0',
    DATA_DIR: server.dataDir,
    DATABASE_URL: urlOf(database),
  })
  const log = pino({ level: 'silent' })
  const running = testServerOf(
    await startServer({
      config: { ...own, dataDir: join(server.dataDir, 'own') },
      connection: database.connection,
      log,
    }),
    server.dataDir,
  )
  await createOperator(running, 'first')
  await createPerson(running, 'offline')
  await running.close()
  return { config: own, connection: database.connection }
}

test('OPERATOR-13: the command line freezes and deletes spaces', async () => {
  const owner = await createPerson(server, 'cleo')
  const space = await makeSpace(owner)
  await run('freeze', 'tea', 'under review')
  await assert.rejects(owner.client.messages.create(space.general, { content: 'no' }), {
    code: 'space_frozen',
  })
  assert.match(
    (await run('find-space', 'Te')).join(),
    /Tea {2}owner cleo {2}1 members {2}frozen: under review/,
  )
  await run('unfreeze', space.id)
  await owner.client.messages.create(space.general, { content: 'yes' })
  await run('delete-space', space.id)
  assert.equal((await owner.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
})

test('OPERATOR-13: the command line brings back deleted spaces, and holds and releases spaces', async () => {
  const owner = await createPerson(server, 'dora')
  const made = await owner.client.spaces.create({ name: 'Lagoon' })
  const { id } = made.space
  assert.match(
    (await run('hold', 'lagoon', 'case', '7')).join(),
    /Lagoon {2}owner dora {2}1 members {2}held: case 7$/,
  )
  await run('release', id)
  await owner.client.spaces.delete(id)
  await assert.rejects(run('hold', 'lagoon'), /there is no space lagoon/)
  assert.match((await run('hold', id)).join(), /held {2}deleted: until 20/)
  assert.match((await run('find-deleted-space', 'lag')).join(), /Lagoon/)
  assert.deepEqual(await run('find-space', 'lag'), [])
  await run('release', id)
  assert.equal((await run('restore-space', 'Lagoon')).join(), `${id}  Lagoon  owner dora  1 members`)
  assert.equal((await owner.client.spaces.get(id)).name, 'Lagoon')
  await assert.rejects(run('restore-space', id), /there is no space/)
})

test('OPERATOR-13: the command line changes who may create an account, and decides applications', async () => {
  const signUp = (username: string, more = {}) => {
    const body = { username, email: emailOf(username), password: TEST_PASSWORD, ...more }
    return send(server, 'POST', '/api/auth/signin', { body })
  }
  await run('question', 'Why', 'here?')
  assert.deepEqual(await run('registration', 'approval'), [
    'registration: approval',
    'domains: all',
    'question: Why here?',
    'puzzle: attack',
  ])
  assert.equal((await signUp('dan', { answer: 'Because' })).code, 'approval_pending')
  await signUp('eli', { answer: 'No reason' })
  const listed = await run('applicants')
  assert.deepEqual(
    listed.map((line) => line.replace(/^[\da-f-]{36} {2}/, '')),
    ['dan  example.org  Because', 'eli  example.org  No reason'],
  )
  await run('approve', 'dan')
  await run('refuse', listed[1]?.slice(0, 36) ?? '', 'Sorry')
  assert.deepEqual(await run('applicants'), [])
  const [code = ''] = await run('invite', 'for', 'Fred')
  assert.equal((await signUp('fred', { invite: code })).status, 200)
  await run('domains', 'allowed.example')
  await run('registration', 'open')
  assert.match((await run('domains')).join(), /domains: allowed\.example/, 'without words it only shows')
  assert.match((await run('question')).join(), /question: Why here\?/)
  assert.equal((await signUp('gus')).code, 'email_domain_refused')
  assert.deepEqual(await run('domains', 'all'), [
    'registration: open',
    'domains: all',
    'question: Why here?',
    'puzzle: attack',
  ])
  assert.match((await run('puzzle', 'off')).join(), /puzzle: off/)
  assert.match((await run('puzzle')).join(), /puzzle: off/)
  await assert.rejects(run('puzzle', 'sometimes'), /this is not possible: sometimes/)
  assert.match((await run('question', 'none')).join(), /question: none/)
  await assert.rejects(run('registration', 'sometimes'), /this is not possible: sometimes/)
})

test('OPERATOR-13: what other people wrote cannot forge lines of the output', async () => {
  await run('registration', 'approval')
  const body = { username: 'mallory', email: emailOf('mallory'), password: TEST_PASSWORD }
  await send(server, 'POST', '/api/auth/signin', { body: { ...body, answer: 'a\nb\u202ec\u009b2J' } })
  const lines = await run('applicants')
  assert.match(lines.at(-1) ?? '', /mallory {2}example\.org {2}a\ufffdb\ufffdc\ufffd2J$/)
  await run('refuse', 'MALLORY')
  await run('registration', 'open')
})

test('OPERATOR-13: it says where it works, and refuses a database of another version', async () => {
  const warnings: string[] = []
  await runCommand(config, ['list'], (text) => warnings.push(text))
  assert.match(warnings.join(), /^works on the database at [\w.:-]+$/)
  const older = await cloneDatabase()
  const client = new pg.Client(older.connection)
  try {
    await client.connect()
    await client.query('delete from migrations where name = (select max(name) from migrations)')
    const other = { ...config, databaseUrl: urlOf(older) }
    await assert.rejects(runCommand(other, ['list']), /has not migrated this database yet/)
  } finally {
    await client.end()
    await older.drop()
  }
})

test('OPERATOR-13: a link for the first operator is gone once the command line makes one', async () => {
  await server.deps.database.execute(sql`delete from operators`)
  const link = await keepClaimLink(server.deps, server.url)
  assert.ok(link)
  await run('grant', 'ada')
  await assert.rejects(readFile(join(server.dataDir, 'operator-link')), { code: 'ENOENT' })
})

test('OPERATOR-13: without a command it says what there is, and without a server’s data it starts nothing', async () => {
  assert.match((await run()).join('\n'), /grant <user>/)
  await assert.rejects(run('toString'), /there is no command toString[\s\S]*grant <user>/)
  const nowhere = { ...config, databaseUrl: undefined, dataDir: join(server.dataDir, 'nothing') }
  await assert.rejects(runCommand(nowhere, ['list']), /no server has run with DATA_DIR/)
})
