import assert from 'node:assert/strict'
import { access, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import {
  ask,
  askUntilAnswered,
  killBackend,
  killIfThere,
  type Program,
  type ProgramOptions,
  pidsUnder,
  startProgram,
  within,
} from '#test/postgres/postgres-programs.ts'
import { canEnter } from './account.ts'
import { type EmbeddedPostgres, launchPostgres, type PostgresAddress } from './launch.ts'
import { removeRecordedFolder } from './socket.ts'

const isRoot = process.getuid?.() === 0
// Which processes stand in a folder is read from /proc.
const onLinux = process.platform === 'linux' ? test : test.skip
const asRoot = isRoot ? onLinux : test.skip
/** The user daemon: initdb wants one that has a name. */
const SOMEBODY = { uid: 1, gid: 1 }

let dataDir: string
let running: EmbeddedPostgres[]
let programs: Program[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-launch-'))
  running = []
  programs = []
})

afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()))
  await Promise.all(programs.map((program) => program.end()))
  await within(20_000, async () => (await pidsUnder(dataDir)).length === 0)
  await removeRecordedFolder(join(dataDir, 'postgres-socket'))
  await rm(dataDir, { recursive: true, force: true })
})

test('UPDATE-4: what a kill has left of a half-made database is removed at the start, and every other database stays', async () => {
  const postgres = await launch()
  await ask(postgres.connection, 'create database other')
  const base = join(dataDir, 'postgres/base')
  await postgres.stop()
  const before = (await readdir(base)).sort()
  await mkdir(join(base, '4000000000'))
  await writeFile(join(base, '4000000000', '1259'), 'half of a table')
  const again = await launch()
  assert.deepEqual((await readdir(base)).sort(), before)
  assert.equal(await ask({ ...again.connection, database: 'other' }, 'select 1 + 1 as answer'), 2)
})

onLinux(
  'makes a database at the first start, and leaves no process and no socket folder at the stop',
  async () => {
    const postgres = await launch()
    assert.equal(await ask(postgres.connection, 'select 1 + 1 as answer'), 2)
    assert.ok((await pidsUnder(dataDir)).includes(postgres.pid))

    await postgres.stop()

    assert.equal(await postgres.exited, 0)
    assert.deepEqual(await pidsUnder(dataDir), [])
    await assert.rejects(stat(postgres.connection.host), { code: 'ENOENT' })
    assert.deepEqual((await readdir(dataDir)).sort(), ['lock', 'postgres'])
  },
)

onLinux('lowers by Unicode, lives in UTC, and lets only its own account in, at a socket', async () => {
  const { connection } = await launch()
  assert.equal(await ask(connection, "select lower('ÄÉ') as answer"), 'äé')
  assert.equal(await setting(connection, 'TimeZone'), 'UTC')
  assert.equal(await setting(connection, 'data_checksums'), 'on')
  assert.equal(await setting(connection, 'fsync'), 'on')
  assert.equal(await setting(connection, 'listen_addresses'), '')
  const folder = await stat(connection.host)
  assert.equal(folder.mode & 0o777, 0o700)
  assert.equal(folder.uid, (await stat(join(dataDir, 'postgres'))).uid)
})

onLinux('ends with a killed parent, and the next start has what was committed', async () => {
  const program = start()
  const { connection } = await program.ready
  await ask(connection, 'create table kept as select 7 as answer')

  await program.signal('SIGKILL')

  await within(20_000, async () => (await pidsUnder(dataDir)).length === 0)
  const next = await launch()
  assert.equal(await ask(next.connection, 'select answer from kept'), 7)
  await assert.rejects(stat(connection.host), { code: 'ENOENT' })
})

onLinux('starts at once after a kill, while the old one is still closing', async () => {
  const program = start()
  const { connection } = await program.ready
  await ask(connection, 'create table kept as select 7 as answer')

  await program.signal('SIGKILL')

  const next = await launch()
  assert.equal(await ask(next.connection, 'select answer from kept'), 7)
})

onLinux('comes back by itself after the kill of a backend', async () => {
  const postgres = await launch()
  const { pid } = postgres
  await ask(postgres.connection, 'create table kept as select 7 as answer')

  await killBackend(postgres.connection)

  assert.equal(await askUntilAnswered(postgres.connection, 'select answer from kept'), 7)
  assert.equal(postgres.pid, pid)
})

onLinux('comes back at the same socket after the kill of the main process', async () => {
  const postgres = await launch()
  const { pid } = postgres
  await ask(postgres.connection, 'create table kept as select 7 as answer')

  process.kill(pid, 'SIGKILL')

  await within(20_000, async () => postgres.pid !== pid)
  assert.equal(await askUntilAnswered(postgres.connection, 'select answer from kept'), 7)
})

onLinux('stops while it is coming back', async () => {
  const postgres = await launch()
  const { pid } = postgres
  process.kill(pid, 'SIGKILL')
  await within(20_000, async () => postgres.pid !== pid)

  await postgres.stop()

  // The processes of the killed one end when they notice.
  await within(20_000, async () => (await pidsUnder(dataDir)).length === 0)
  await assert.rejects(stat(postgres.connection.host), { code: 'ENOENT' })
})

onLinux('makes a whole database after a first start that was killed half-way', async () => {
  const program = start()
  const unfinished = join(dataDir, `postgres.new-${program.pid}`)
  await within(20_000, () => access(join(unfinished, 'PG_VERSION')).then(yes, no))
  await program.signal('SIGKILL')
  for (const pid of await pidsUnder(unfinished)) killIfThere(pid)
  await program.exited
  assert.deepEqual((await readdir(dataDir)).sort(), ['lock', `postgres.new-${program.pid}`])

  const { connection } = await launch()

  assert.equal(await ask(connection, 'select 1 as answer'), 1)
  assert.deepEqual((await readdir(dataDir)).sort(), ['lock', 'postgres', 'postgres-socket'])
})

onLinux('says what to do with the files of another major version', async () => {
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await assert.rejects(launch(), /created by PostgreSQL 17, but this Foyer includes PostgreSQL 18\. Dump/)
})

onLinux('repeats what PostgreSQL says when it cannot start', async () => {
  const settings = { shared_buffers: 'a lot', fsync: 'off' }
  await assert.rejects(
    launchPostgres({ dataDir, log: () => {}, settings }),
    /cannot start in .*FATAL: {2}invalid value for parameter "shared_buffers": "a lot"/s,
  )
})

asRoot('works and recovers in a folder that its account cannot walk to', async () => {
  const outer = dataDir
  dataDir = join(outer, 'inner')
  assert.equal((await stat(outer)).mode & 0o777, 0o700)
  const postgres = await launch()
  assert.equal(await canEnter({ uid: 65534, gid: 65534 }, outer), false)
  await ask(postgres.connection, 'create table kept as select 7 as answer')
  await ask(postgres.connection, 'checkpoint')

  process.kill(postgres.pid, 'SIGKILL')

  assert.equal(await askUntilAnswered(postgres.connection, 'select answer from kept'), 7)
  await postgres.stop()
  dataDir = outer
})

asRoot('runs for an ordinary user, and ends with a killed parent there too', async (t) => {
  if (!(await canEnter(SOMEBODY, import.meta.dirname))) return t.skip('the checkout is closed to other users')
  await chown(dataDir, SOMEBODY.uid, SOMEBODY.gid)
  const program = start({ account: SOMEBODY })
  const { connection, pid } = await program.ready
  assert.equal(await ask(connection, 'select 1 as answer'), 1)
  assert.equal((await stat(`/proc/${pid}`)).uid, SOMEBODY.uid)

  await program.signal('SIGKILL')

  await within(20_000, async () => (await pidsUnder(dataDir)).length === 0)
})

async function launch(): Promise<EmbeddedPostgres> {
  const postgres = await launchPostgres({ dataDir, log: () => {} })
  running.push(postgres)
  return postgres
}

function start(options?: ProgramOptions): Program {
  const program = startProgram(dataDir, options)
  programs.push(program)
  return program
}

async function setting(connection: PostgresAddress, name: string): Promise<unknown> {
  return ask(connection, `select current_setting('${name}') as answer`)
}

const yes = () => true
const no = () => false
