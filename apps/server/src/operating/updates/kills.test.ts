import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { TestDatabase } from '#test/database.ts'
import { killIfThere, startProgram } from '#test/postgres/postgres-programs.ts'
import { killUpdate } from '#test/updates/killed-update.ts'
import {
  ask,
  besideOf,
  copyOf,
  dropAll,
  fillOld,
  listBeside,
  listMigrations,
  listOld,
  MIGRATIONS,
  makeOldDatabase,
} from '#test/updates/old-databases.ts'
import { updateOf } from '#test/updates/updates.ts'
import { connectionTo, query } from '#test/valkey/cluster.ts'
import { migrateSafely } from './updating.ts'

/** More of them are for a machine with time. */
const KILLS = Number(process.env.UPDATE_KILLS ?? 12)
const DATABASE_KILLS = Number(process.env.UPDATE_DATABASE_KILLS ?? 3)
const BEFORE = '_before_update'
/** A killed process leaves its writes to the kernel. */
const LAUNCH = { options: { settings: { fsync: 'off' } } }
/** Kills come until a little after the end of an update. */
const LONGER = 1.1

let old: TestDatabase
let dataDir: string
before(async () => {
  old = await makeOldDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-kills-'))
})
after(async () => {
  await old.drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('UPDATE-4: an update that is killed at any moment leaves the old state or the new one, and the next start completes it', async (t) => {
  const found = { old: 0, new: 0 }
  const durationMs = await timeOfUpdate(await copyOf(old))
  for (let round = 0; round < KILLS; round += 1) {
    const afterMs = (durationMs * LONGER * (round + Math.random())) / KILLS
    const { connection, drop } = await copyOf(old)
    await killUpdate(connection, afterMs)
    found[await checkAfter(connection, afterMs)] += 1
    await drop()
  }
  t.diagnostic(`${KILLS} kills: ${found.old} left the old state, ${found.new} the new one`)
})

test('UPDATE-4: so it is if PostgreSQL is killed with it', async (t) => {
  const found = { old: 0, new: 0 }
  let durationMs = 0
  for (let round = 0; round <= DATABASE_KILLS; round += 1) {
    const program = startProgram(dataDir, LAUNCH)
    const { connection, pid } = await program.ready
    const database = await renewDatabase({ ...connection })
    if (round === 0) {
      durationMs = await timeOfUpdate(database)
      await program.end()
      continue
    }
    const afterMs = (durationMs * LONGER * (round - Math.random())) / DATABASE_KILLS
    await killUpdate(database.connection, afterMs, () => {
      killIfThere(pid)
      killIfThere(program.pid)
    })
    await program.exited
    const again = startProgram(dataDir, LAUNCH)
    const after = await again.ready
    found[await checkAfter({ ...after.connection }, afterMs)] += 1
    await assertNoHalfMade({ ...after.connection }, afterMs)
    await again.end()
  }
  t.diagnostic(`${DATABASE_KILLS} kills: ${found.old} left the old state, ${found.new} the new one`)
})

/** Checks what a kill has left, and completes it. */
async function checkAfter(connection: pg.ClientConfig, afterMs: number): Promise<'old' | 'new'> {
  await awaitEnd(connection)
  const [oldNames, newNames] = [(await listOld()).map(({ name }) => name), (await readdir(MIGRATIONS)).sort()]
  const names = await listMigrations(connection)
  const state = names.length === newNames.length ? 'new' : 'old'
  assert.deepEqual(names, state === 'new' ? newNames : oldNames, `after ${afterMs} ms`)
  assert.deepEqual(await ask(connection, 'select username from users'), [{ username: 'old' }])
  const update = updateOf(connection)
  await migrateSafely(update)
  assert.deepEqual(update.warnings, [], `after ${afterMs} ms`)
  assert.deepEqual(await listMigrations(connection), newNames)
  assert.deepEqual(await listBeside(connection), [BEFORE], `after ${afterMs} ms`)
  assert.deepEqual(await listMigrations(await besideOf(connection, BEFORE)), oldNames)
  return state
}

/** A copy that was killed with PostgreSQL has files, but no row. */
async function assertNoHalfMade(connection: pg.ClientConfig, afterMs: number): Promise<void> {
  const databases = await ask<{ id: string }>(connection, 'select oid::text as id from pg_database')
  const folders = (await readdir(join(dataDir, 'postgres/base'))).filter((name) => /^\d+$/.test(name))
  assert.deepEqual(folders.sort(), databases.map(({ id }) => id).sort(), `after ${afterMs} ms`)
}

/** PostgreSQL finishes the statement under way before it notices that the client is gone. Its lock ends with it. */
async function awaitEnd({ database = '', ...connection }: pg.ClientConfig): Promise<void> {
  await ask(
    connectionTo(connection, 'postgres'),
    `select pg_advisory_lock(hashtextextended('foyer update of ${database}', 0))`,
  )
}

async function timeOfUpdate({ connection, drop }: TestDatabase): Promise<number> {
  const start = performance.now()
  await migrateSafely(updateOf(connection))
  const durationMs = performance.now() - start
  await drop()
  return durationMs
}

/** Makes the database of a cluster anew, as the old version left it. */
async function renewDatabase(connection: pg.ClientConfig): Promise<TestDatabase> {
  const server = connectionTo(connection, 'postgres')
  await dropAll(server, 'foyer')
  const isThere = await ask(server, `select from pg_database where datname = 'old'`)
  if (isThere.length === 0) {
    await query(server, 'create database old')
    await fillOld(connectionTo(server, 'old'))
  }
  await query(server, 'create database foyer template old strategy file_copy')
  return { connection, drop: () => dropAll(server, 'foyer') }
}
