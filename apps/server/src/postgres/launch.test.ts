import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { canEnter } from './account.ts'
import { type EmbeddedPostgres, launchPostgres, type PostgresAddress } from './launch.ts'
import { removeRecordedFolder } from './socket.ts'

const PROGRAM = join(import.meta.dirname, '../../test/launch-postgres.ts')
const isRoot = process.getuid?.() === 0
// Which processes stand in a folder is read from /proc.
const onLinux = process.platform === 'linux' ? test : test.skip
const asRoot = isRoot ? onLinux : test.skip
/** The user daemon: initdb wants one that has a name. */
const SOMEBODY = { uid: 1, gid: 1 }

let dataDir: string
let running: EmbeddedPostgres[]
let programs: ChildProcess[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-launch-'))
  running = []
  programs = []
})

afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()))
  await Promise.all(programs.map(end))
  await until(async () => (await pidsUnder(dataDir)).length === 0)
  await removeRecordedFolder(join(dataDir, 'postgres-socket'))
  await rm(dataDir, { recursive: true, force: true })
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
    assert.deepEqual(await readdir(dataDir), ['postgres'])
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
  const program = startProgram()
  const { connection } = await address(program)
  await ask(connection, 'create table kept as select 7 as answer')

  program.kill('SIGKILL')

  await until(async () => (await pidsUnder(dataDir)).length === 0, 20_000)
  const next = await launch()
  assert.equal(await ask(next.connection, 'select answer from kept'), 7)
  await assert.rejects(stat(connection.host), { code: 'ENOENT' })
})

onLinux('starts at once after a kill, while the old one is still closing', async () => {
  const program = startProgram()
  const { connection } = await address(program)
  await ask(connection, 'create table kept as select 7 as answer')

  program.kill('SIGKILL')

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

  await until(async () => postgres.pid !== pid)
  assert.equal(await askUntilAnswered(postgres.connection, 'select answer from kept'), 7)
})

onLinux('stops while it is coming back', async () => {
  const postgres = await launch()
  const { pid } = postgres
  process.kill(pid, 'SIGKILL')
  await until(async () => postgres.pid !== pid)

  await postgres.stop()

  assert.deepEqual(await pidsUnder(dataDir), [])
  await assert.rejects(stat(postgres.connection.host), { code: 'ENOENT' })
})

onLinux('refuses a folder that another Foyer uses, and leaves that one unharmed', async () => {
  const first = await launch()
  const startedAt = performance.now()

  await assert.rejects(launch(), {
    message: `DATA_DIR ${dataDir} is in use by another Foyer (PostgreSQL process ${first.pid})`,
  })

  assert.ok(performance.now() - startedAt < 20_000)
  assert.equal(await ask(first.connection, 'select 1 as answer'), 1)
})

onLinux('lets one of two that start together win', async () => {
  const outcomes = await Promise.allSettled([startAddress(), startAddress()])

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const winner = outcomes.find((outcome) => outcome.status === 'fulfilled')
  assert.ok(winner)
  assert.equal(await ask(winner.value.connection, 'select 1 as answer'), 1)

  function startAddress() {
    const program = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ['ignore', 'pipe', 'ignore'] })
    programs.push(program)
    return address(program)
  }
})

onLinux('makes a whole database after a first start that was killed half-way', async () => {
  const program = startProgram()
  const unfinished = join(dataDir, `postgres.new-${program.pid}`)
  await until(() => access(join(unfinished, 'PG_VERSION')).then(yes, no))
  const exit = once(program, 'exit')
  program.kill('SIGKILL')
  for (const pid of await pidsUnder(unfinished)) kill(pid)
  await exit
  assert.deepEqual(await readdir(dataDir), [`postgres.new-${program.pid}`])

  const { connection } = await launch()

  assert.equal(await ask(connection, 'select 1 as answer'), 1)
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres-socket'])
})

onLinux('says what to do with the files of another major version', async () => {
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await assert.rejects(launch(), /made by PostgreSQL 17, and this Foyer brings PostgreSQL 18\. Dump/)
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
  const program = startProgram(SOMEBODY)
  const { connection, pid } = await address(program)
  assert.equal(await ask(connection, 'select 1 as answer'), 1)
  assert.equal((await stat(`/proc/${pid}`)).uid, SOMEBODY.uid)

  program.kill('SIGKILL')

  await until(async () => (await pidsUnder(dataDir)).length === 0, 20_000)
})

async function launch(): Promise<EmbeddedPostgres> {
  const postgres = await launchPostgres({ dataDir, log: () => {} })
  running.push(postgres)
  return postgres
}

function startProgram(account = {}): ChildProcess {
  const program = spawn(process.execPath, [PROGRAM, dataDir], {
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  return program
}

const yes = () => true
const no = () => false

async function address(program: ChildProcess): Promise<{ connection: PostgresAddress; pid: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  program.stdout?.setEncoding('utf8').once('data', resolve)
  program.once('exit', (code) => reject(new Error(`The program ended with ${code}`)))
  return JSON.parse(await promise)
}

async function ask(connection: PostgresAddress, sql: string): Promise<unknown> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(sql).finally(() => client.end())
  return rows[0]?.answer
}

async function setting(connection: PostgresAddress, name: string): Promise<unknown> {
  return ask(connection, `select current_setting('${name}') as answer`)
}

async function askUntilAnswered(connection: PostgresAddress, sql: string): Promise<unknown> {
  let answer: unknown
  await until(async () => {
    answer = await ask(connection, sql).catch(() => undefined)
    return answer !== undefined
  })
  return answer
}

async function killBackend(connection: PostgresAddress): Promise<void> {
  const client = new pg.Client(connection)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await ended
}

/** Living processes whose working directory lies in the folder, as that of every PostgreSQL process does. */
async function pidsUnder(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => places[index]?.startsWith(`${folder}/`))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone already.
  }
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const exit = once(program, 'exit')
  program.kill('SIGTERM')
  await exit
}

async function until(condition: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${timeoutMs} ms`)
    await sleep(20)
  }
}
