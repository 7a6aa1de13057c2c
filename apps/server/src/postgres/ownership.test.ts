import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  ask,
  killBackend,
  killIfThere,
  type Program,
  type ProgramOptions,
  pidsUnder,
  startProgram,
  within,
  withoutContainers,
} from '#test/postgres/postgres-programs.ts'
import type { PostgresAddress } from './launch.ts'
import { removeRecordedFolder } from './socket.ts'

const skip = withoutContainers
const onLinux = process.platform === 'linux' ? false : 'NOT TESTED: needs Linux'
/** Enough where nobody ends, and little to wait for. */
const SHORT = { waitMs: 1500 }
const LONG = { waitMs: 60_000 }
/** In a container of its own: flock(1) is no program there. */
const WITHOUT_LOCKS = 'mount --bind /dev/null "$(command -v flock)"'

const KEEP = 'create table if not exists kept as select 7 as answer'

let dataDir: string
let programs: Program[]

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-ownership-'))
})
after(async () => {
  await removeRecordedFolder(join(dataDir, 'postgres-socket'))
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

beforeEach(() => {
  programs = []
})
afterEach(async () => {
  await Promise.all(programs.map((program) => program.end()))
  for (const pid of await pidsUnder(dataDir)) killIfThere(pid)
  await within(20_000, async () => (await pidsUnder(dataDir)).length === 0)
})

test('POSTGRES-1: one of two servers started together on an empty folder gets it', {
  skip: onLinux,
}, async () => {
  const both = [start({ options: SHORT }), start({ options: SHORT })]
  const outcomes = await Promise.allSettled(both.map(({ ready }) => ready))

  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const winner = outcomes.find((outcome) => outcome.status === 'fulfilled')
  assert.ok(winner)
  assert.equal(await ask(winner.value.connection, 'select 1 as answer'), 1)
})

test('POSTGRES-1: a second server is refused with the owner’s name, and the first continues', {
  skip: onLinux,
}, async () => {
  const first = start()
  const { connection, pid } = await first.ready

  const refusal = await refused(start({ options: SHORT }))

  assert.ok(
    refusal.includes(`DATA_DIR ${dataDir} is in use by another Foyer (process ${first.pid} on `),
    refusal,
  )
  assert.ok(
    refusal.includes(`PostgreSQL process ${pid}, ready), and was not free within 1.5 s: stop that one`),
    refusal,
  )
  assert.equal(await ask(connection, 'select 1 as answer'), 1)
  assert.equal((await first.ready).pid, pid)
})

for (const [place, inContainer, waitMs] of [
  ['', '', 1500],
  // A heartbeat has to be missed.
  [', where files cannot be locked too', WITHOUT_LOCKS, 4000],
] as const) {
  test(`POSTGRES-1: one of two containers gets the folder, even with equal process ids${place}`, {
    skip,
  }, async () => {
    const first = start({ inContainer })
    const { connection } = await first.ready
    await ask(connection, KEEP)

    const refusal = await refused(start({ inContainer, options: { waitMs } }))

    assert.match(refusal, /is in use by another Foyer/)
    assert.equal(await ask(connection, 'select answer from kept'), 7)
    assert.ok((await stat(join(dataDir, 'postgres/postmaster.pid'))).isFile())
  })

  test(`POSTGRES-2: the server of a new container starts once the old one’s has ended or was killed${place}`, {
    skip,
  }, async () => {
    const old = start({ inContainer })
    const { connection } = await old.ready
    const newer = start({ inContainer, options: { waitMs: 20_000 } })
    const writing = writeUntilCut(connection)
    await within(20_000, async () => newer.log().includes('in use by another Foyer'))
    await old.signal('SIGTERM')
    const acknowledged = await writing
    const next = await newer.ready
    assert.ok(acknowledged > 0)
    assert.ok(Number(await ask(next.connection, 'select count(*) as answer from written')) >= acknowledged)
    await newer.signal('SIGKILL')
    const last = start({ inContainer, options: { waitMs } })
    const { connection: again } = await last.ready
    assert.ok(Number(await ask(again, 'select count(*) as answer from written')) >= acknowledged)
  })
}

test('POSTGRES-3: remaining processes of a killed database keep the folder, also from another container', {
  skip,
}, async () => {
  const first = start()
  const { connection, pid } = await first.ready
  await ask(connection, KEEP)
  const left = (await pidsUnder(dataDir)).find((each) => each !== pid)
  assert.ok(left !== undefined)
  process.kill(left, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await first.signal('SIGKILL')

  assert.match(await refused(start({ inContainer: '', options: { waitMs: 0 } })), /in use by another Foyer/)

  process.kill(left, 'SIGCONT')
  const { connection: next } = await start({ inContainer: '', options: LONG }).ready
  assert.equal(await ask(next, 'select answer from kept'), 7)
})

test('POSTGRES-3: an orphan that does not end is killed', { skip: onLinux }, async () => {
  const first = start()
  const { connection, pid } = await first.ready
  await ask(connection, KEEP)
  process.kill(pid, 'SIGSTOP')
  await first.signal('SIGKILL')

  const second = start({ options: { waitMs: 6000 } })

  assert.equal(await ask((await second.ready).connection, 'select answer from kept'), 7)
  assert.match(second.log(), new RegExp(`sending SIGQUIT to ${pid}\n`))
  assert.match(second.log(), new RegExp(`sending SIGKILL to .*${pid}`))
})

test('POSTGRES-4: a server killed right after a process of its database starts again', {
  skip: onLinux,
}, async () => {
  await ask((await start().ready).connection, KEEP)
  for (const delayMs of [0, 60, 250]) {
    const program = programs.at(-1)
    assert.ok(program)
    const { connection } = await program.ready
    await killBackend(connection)
    await sleep(delayMs)
    await program.signal('SIGKILL')
    const { connection: next } = await start({ options: { waitMs: 8000 } }).ready
    assert.equal(await ask(next, 'select answer from kept'), 7)
  }
})

function start({ options, inContainer }: ProgramOptions = {}): Program {
  // Only processes are killed, so the system keeps what they wrote.
  const program = startProgram(dataDir, { options: { settings: { fsync: 'off' }, ...options }, inContainer })
  programs.push(program)
  return program
}

async function refused(program: Program): Promise<string> {
  const outcome = await program.ready.then(
    () => 'it started',
    (error: Error) => error.message,
  )
  assert.notEqual(outcome, 'it started')
  return outcome
}

/** Writes one row after another. @returns how many were acknowledged until the connection ended */
async function writeUntilCut(connection: PostgresAddress): Promise<number> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('drop table if exists written; create table written (number int)')
  for (let count = 0; ; count += 1) {
    const isWritten = await client.query('insert into written values ($1)', [count]).then(
      () => true,
      () => false,
    )
    if (!isWritten) return count
  }
}
