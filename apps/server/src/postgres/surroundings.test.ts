import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import {
  ask,
  type Program,
  type ProgramOptions,
  startProgram,
  startServerProgram,
  withoutContainers,
} from '#test/postgres/postgres-programs.ts'

const NAMELESS = { uid: 54_321, gid: 54_321 }
const AS_NAMELESS = 'exec setpriv --reuid=54321 --regid=54321 --clear-groups "$@"'
/** Asks the kernel, because access lists matter besides mode bits. */
const canEnter = spawnSync('test', ['-x', import.meta.dirname], { ...NAMELESS, cwd: '/' }).status === 0
const skip = withoutContainers || (canEnter ? false : 'NOT TESTED: the checkout is closed to other users')

let dataDir: string
let program: Pick<Program, 'end'>

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-surroundings-'))
})
afterEach(async () => {
  await program.end()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('POSTGRES-8: variables for PostgreSQL clients do not affect the embedded database', async () => {
  const environment = {
    PGSSLMODE: 'require',
    PGOPTIONS: '-c statement_timeout=1',
    PGSSLNEGOTIATION: 'direct',
  }
  const server = startServerProgram(dataDir, { environment })
  program = server
  const answer = await fetch(`${await server.url}/api/health`)
  // Read to its end: the server drains what is not.
  assert.match(await answer.text(), /"status":"ok"/)
})

test('POSTGRES-8: a /dev/shm of 1 MB is enough', { skip }, async () => {
  await works({ inContainer: 'mount -t tmpfs -o size=1m foyer /dev/shm' })
})

test('POSTGRES-8: a folder copied back with modes that let others read it is closed to them', async () => {
  await works({})
  await program.end()
  await chmod(join(dataDir, 'postgres'), 0o755)
  await works({})
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700)
})

test('POSTGRES-8: a user without a name creates a database, or is told what to do', { skip }, async () => {
  await chown(dataDir, NAMELESS.uid, NAMELESS.gid)
  assert.match(
    await refused({ inContainer: `mount --bind /dev/null "$(command -v unshare)"; ${AS_NAMELESS}` }),
    /user 54321 has no line in \/etc\/passwd, .*: add one \(foyer:x:54321:54321::\/:\/bin\/false\), start Foyer as root the first time/,
  )
  await works({ inContainer: AS_NAMELESS })
  assert.equal((await stat(join(dataDir, 'postgres/PG_VERSION'))).uid, NAMELESS.uid)
})

test('POSTGRES-8: a DATA_DIR that cannot be written is named, with a remedy', { skip }, async () => {
  const readOnly = `mount -t tmpfs -o ro foyer ${dataDir}`
  const sentence = /is on a read-only file system: mount it for writing, or set another DATA_DIR/
  assert.match(await refused({ inContainer: readOnly }), sentence)
  assert.match(await refused({ inContainer: readOnly }, join(dataDir, 'new/folder')), sentence)
  const { message } = { message: await refused({ inContainer: AS_NAMELESS }) }
  assert.match(
    message,
    /cannot be written by user 54321: chown -R it to that user, or run Foyer as its owner/,
  )
})

async function works(options: ProgramOptions): Promise<void> {
  const started = startProgram(dataDir, { ...options, options: { settings: { fsync: 'off' } } })
  program = started
  const { connection } = await started.ready
  assert.equal(await ask(connection, 'select 1 as answer'), 1)
}

async function refused(options: ProgramOptions, folder = dataDir): Promise<string> {
  const started = startProgram(folder, options)
  program = started
  return started.ready.then(
    () => 'it started',
    (error: Error) => error.message,
  )
}
