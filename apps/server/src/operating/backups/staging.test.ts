import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { backUp, restore, restoreSettings } from '#test/backups/commands.ts'
import { makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { markUnfinished } from './empty-database.ts'
import { openStaging } from './staging.ts'
import { openClient } from './tables.ts'

let server: TestServer
let folder: string
let to: string
let dataDir: string
let database: TestDatabase

before(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'foyer-staging-'))
  to = join(folder, 'repository')
  await backUp(server, [`--to=${to}`])
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'))
  database = await makeEmptyDatabase()
})
afterEach(() => database.drop())

/** Leaves everything as a restore that was killed in its last step. @returns its id */
async function interrupt(): Promise<string> {
  const staging = await openStaging(dataDir)
  await writeFile(join(staging.path, 'restored'), 'whole')
  await assert.rejects(staging.moveIntoPlace(() => Promise.reject(new Error('killed'))))
  await staging.close()
  return staging.id
}

async function mark(id: string): Promise<void> {
  const { client, close } = await openClient(database.connection, 'test')
  await markUnfinished(client, id).finally(close)
}

const restoreHere = () => restore(restoreSettings(dataDir, database), [`--from=${to}`])

test('RESTORE-3: a restore that was killed in its last step is completed by the next, and so is its database', async () => {
  await mark(await interrupt())
  assert.ok((await readdir(dataDir)).includes('restoring'))
  const { lines } = await restoreHere()
  assert.deepEqual(lines, ['completed an earlier restore that was interrupted in its last step'])
  assert.deepEqual((await readdir(dataDir)).sort(), ['lock', 'restored', 'tmp'])
  assert.equal(await readFile(join(dataDir, 'restored'), 'utf8'), 'whole')
  // The mark is gone: nothing is in the database any more.
  await mark('another')
})

test('RESTORE-3: an interrupted restore is not completed with the database of another one', async () => {
  await interrupt()
  await mark('another')
  await assert.rejects(restoreHere(), {
    message: 'DATABASE_URL is not the database that the interrupted restore has filled',
  })
  assert.ok((await readdir(dataDir)).includes('restoring'))
})

test('RESTORE-2: a second restore into the same DATA_DIR is refused while the first works', async () => {
  const first = await openStaging(dataDir)
  await assert.rejects(
    openStaging(dataDir),
    /^Error: DATA_DIR .* cannot be used: DATA_DIR .* is in use by another Foyer/,
  )
  await first.close()
  assert.deepEqual(await readdir(dataDir), ['lock'])
})
