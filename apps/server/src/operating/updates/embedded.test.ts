import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { migrate } from '#src/kernel/database/migrate.ts'
import { launchPostgres } from '#src/postgres/launch.ts'
import { SOCKET_PORT } from '#src/postgres/socket.ts'
import { runProgram, startProgram } from '#test/processes/program.ts'
import { ask, listBeside, makeOlder } from '#test/updates/old-databases.ts'

const ROLLBACK = join(import.meta.dirname, '../../rollback.ts')
const execute = promisify(execFile)

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-rollback-'))
})
after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

test('UPDATE-1, ROLLBACK-3 and DATA-20: a DATA_DIR is updated, refused by a version without its migrations, and rolled back', async () => {
  await onDatabase(async (connection) => {
    await migrate(connection)
    await makeOlder(connection)
  })
  const updated = await startProgram({ DATA_DIR: dataDir })
  await assert.rejects(rollBack('--yes'), /the server runs: stop it first/)
  const host = await realpath(join(dataDir, 'postgres-socket'))
  await ask(
    { host, port: SOCKET_PORT, user: 'foyer', database: 'foyer' },
    `insert into migrations (name) values ('9999-of-tomorrow.sql')`,
  )
  await updated.stop()
  const { code, text } = await runProgram({ DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.match(
    text,
    /^Foyer could not start: A newer version of Foyer has changed this database \(migration 9999-of-tomorrow\.sql\): start that version or a later one, or run npm run rollback to go back to the version that ran before and its data of \d{4}-.*Z$/m,
  )
  assert.match(await rollBack('--yes'), /^The data is that of .* again\.$/m)
  await onDatabase(async (connection) => {
    assert.deepEqual(await ask(connection, `select from migrations where name = '0056-versions.sql'`), [])
    assert.deepEqual(await listBeside(connection), ['_rolled_back'])
  })
})

async function rollBack(...args: string[]): Promise<string> {
  const { PATH = '', HOME = '/' } = process.env
  const env = { PATH, HOME, DATA_DIR: dataDir }
  return (await execute(process.execPath, [ROLLBACK, ...args], { env })).stdout
}

async function onDatabase(work: (connection: object) => Promise<unknown>): Promise<void> {
  const postgres = await launchPostgres({ dataDir, log: () => undefined, settings: { fsync: 'off' } })
  try {
    await work({ ...postgres.connection })
  } finally {
    await postgres.stop()
  }
}
