import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import {
  ask,
  type Program,
  type ProgramOptions,
  startProgram,
  withoutContainers,
} from '#test/postgres/postgres-programs.ts'

const run = promisify(execFile)
const skip = withoutContainers
const OWN_ID = 65_531
const NOBODY = 65_534
const KEEP = 'create table kept as select 7 as answer'

let dataDir: string
let program: Program

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-account-'))
})
afterEach(async () => {
  await program.end()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

for (const [place, inContainer] of [
  ['', ''],
  [', even where it cannot have a name', 'mount --bind /dev/null "$(command -v unshare)"'],
] as const) {
  test(`POSTGRES-9: the database has its own user id when started by root, and the user nobody cannot reach it${place}`, {
    skip,
  }, async () => {
    const { connection } = await start({ inContainer })
    await ask(connection, KEEP)
    assert.deepEqual(await owners(), [OWN_ID])
    const socket = join(connection.host, `.s.PGSQL.${connection.port}`)
    const reach = `net.connect(${JSON.stringify(socket)}, () => process.exit(0)).on('error', ({ code }) => console.log(code))`
    const { stdout } = await run(process.execPath, ['-e', reach], { uid: NOBODY, gid: NOBODY, cwd: '/' })
    assert.equal(stdout, 'EACCES\n')
  })
}

test('POSTGRES-9: a folder that an earlier version gave to nobody changes its owner', {
  skip,
}, async () => {
  await ask((await start()).connection, KEEP)
  await program.end()
  await run('chown', ['-R', `${NOBODY}:${NOBODY}`, join(dataDir, 'postgres')])

  const { connection } = await start()

  assert.equal(await ask(connection, 'select answer from kept'), 7)
  assert.deepEqual(await owners(), [OWN_ID])
})

function start(options: ProgramOptions = {}) {
  program = startProgram(dataDir, { ...options, options: { settings: { fsync: 'off' } } })
  return program.ready
}

/** Checks the owner of everything the database has. */
async function owners(): Promise<number[]> {
  const { stdout } = await run('find', [join(dataDir, 'postgres'), '-printf', '%U\n'])
  const { uid } = await stat(join(dataDir, 'postgres'))
  return [...new Set([uid, ...stdout.trim().split('\n').map(Number)])]
}
