import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  ask,
  askUntilAnswered,
  killIfThere,
  type Program,
  startProgram,
  startServerProgram,
  within,
  withoutContainers,
} from '#test/postgres/postgres-programs.ts'
import { listClusterProcesses } from './cluster-processes.ts'
import { SOCKET_PORT } from './socket.ts'

const skip = withoutContainers
/** A new cluster takes 60 MB. */
const DISK = '120m'
const DELAYS_MS = [0, 20, 50]

let dataDir: string
let inContainer: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-full-disk-'))
  inContainer = `mount -t tmpfs -o size=${DISK} foyer ${dataDir}`
})
after(() => rm(dataDir, { recursive: true, force: true }))

test('POSTGRES-6: a database whose disk was full works again once there is space, after more attempts than there are intervals', {
  skip,
}, async (t) => {
  const options = { settings: { fsync: 'off' }, relaunchDelaysMs: DELAYS_MS }
  const program = startProgram(dataDir, { inContainer, options })
  t.after(() => program.end())
  const { connection } = await program.ready
  await ask(connection, 'create table kept as select 7 as answer')

  const makeRoom = await fillDisk(program)
  await breakBySwitches(connection)
  const attempts = () => program.log().split('ended unexpectedly: starting it again').length - 1
  await within(20_000, async () => attempts() > 3 * DELAYS_MS.length)
  await makeRoom()

  assert.equal(await askUntilAnswered(connection, 'select answer from kept'), 7)
})

test('OPS-1, POSTGRES-6 and POSTGRES-7: health and log say that the disk is full, and a lost database ends the server', {
  skip,
}, async (t) => {
  const program = startServerProgram(dataDir, { inContainer })
  t.after(() => program.end())
  const url = await program.url
  const health = () => fetch(`${url}/api/health`)
  const folder = join(await program.root(), dataDir)
  const [, , , , host] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const connection = { host, port: SOCKET_PORT, user: 'foyer', database: 'foyer' }
  assert.equal((await health()).status, 200)

  const makeRoom = await fillDisk(program)
  await breakBySwitches(connection)
  let body: unknown
  await within(20_000, async () => {
    body = await (await health()).json()
    return JSON.stringify(body).includes('full')
  })
  assert.deepEqual(body, { error: 'temporarily unavailable: the disk of the database is full' })
  assert.match(program.log(), /"level":"error".*PANIC:.*No space left on device/)
  await makeRoom()
  await within(30_000, async () => (await health()).status === 200)

  await damage(join(folder, 'postgres'))
  assert.equal(await Promise.race([program.exited, sleep(60_000, 'it runs', { ref: false })]), 1)
  assert.match(program.log(), /PostgreSQL can no longer be started: Foyer is stopping/)
})

/** Takes the log away from under a database that is killed. It stands still meanwhile, so as not to begin another. */
async function damage(folder: string): Promise<void> {
  const pids = (await listClusterProcesses(folder)).map(({ pid }) => pid)
  assert.ok(pids.length > 0)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const segments = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  await Promise.all(segments.map((name) => rm(join(folder, 'pg_wal', name))))
  for (const pid of pids) killIfThere(pid)
}

/** @returns what empties it again */
async function fillDisk(program: Pick<Program, 'root'>): Promise<() => Promise<void>> {
  const path = join(await program.root(), dataDir, 'full')
  spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=64k'])
  return () => rm(path)
}

/** New segments of the log do not fit any more, which PostgreSQL takes for the end. */
async function breakBySwitches(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table if not exists filling (number int)').catch(() => undefined)
  for (let switches = 0; ; switches += 1) {
    assert.ok(switches < 50, 'the disk is not full')
    const goesOn = await client
      .query("select pg_logical_emit_message(false, 'foyer', repeat('x', 100000)), pg_switch_wal()")
      .then(
        () => true,
        (error) => 'severity' in error && error.severity === 'ERROR',
      )
    if (!goesOn) return
  }
}
