import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { migrateUnfinished } from '#src/kernel/database/migrate.ts'
import { newId } from '#src/kernel/ids.ts'
import { backUpFrom, restore, restoreSettings } from '#test/backups/commands.ts'
import { makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { startTestServer } from '#test/server.ts'

/** Last migration of the old version. */
const LAST = '0040'

let folder: string
let old: TestDatabase
let database: TestDatabase

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-older-'))
  old = await makeEmptyDatabase()
  database = await makeEmptyDatabase()
})
after(async () => {
  await Promise.all([old.drop(), database.drop()])
  await rm(folder, { recursive: true, force: true })
})

test('RESTORE-4: a backup of an older version is restored and then migrated to this one', async () => {
  const server = await startTestServer()
  const applied = await server.deps.database
    .query<{ name: string; checksum: string }>({
      name: '',
      text: 'select name, checksum from migrations',
      values: [],
    })
    .finally(() => server.close())
  await migrateUnfinished(
    old.connection,
    applied.filter(({ name }) => name.slice(0, 4) <= LAST),
  )
  const userId = newId()
  await ask(old, `insert into users (id, username, email) values ('${userId}', 'old', 'old@example.org')`)
  const to = join(folder, 'repository')
  await backUpFrom(old.connection, { SECRET_KEY: 'k'.repeat(32), DATA_DIR: join(folder, 'old') }, [
    `--to=${to}`,
  ])

  const settings = { ...restoreSettings(join(folder, 'data'), database), SECRET_KEY: 'k'.repeat(32) }
  const { lines } = await restore(settings, [`--from=${to}`])

  assert.match(lines[0] ?? '', /^restored /)
  assert.deepEqual(await ask(database, 'select id, username from users'), [{ id: userId, username: 'old' }])
  const names = await ask<{ name: string }>(database, 'select name from migrations order by name')
  assert.deepEqual(
    names.map(({ name }) => name),
    applied.map(({ name }) => name).sort(),
  )
  assert.ok(names.length > 40)
})

async function ask<Row>({ connection }: TestDatabase, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}
