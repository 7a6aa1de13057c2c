import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { MIGRATION_LOCK } from '#src/kernel/database/migrate.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { backUp } from '#test/backups/commands.ts'
import { BreakableStorage } from '#test/breakable-storage.ts'
import { connectionOf } from '#test/database.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type PlacedFile, placeFile } from '#test/stored-files.ts'
import { partName } from './repository.ts'

let server: TestServer
let storage: BreakableStorage
let folder: string
let to: string
let file: PlacedFile

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ services: ['api'] })
  file = await placeFile(server, { tenantId: newId(), bytes: Buffer.from('a picture') })
  storage.objects.set(`${file.tenant_id}/${file.id}`, Buffer.from('a picture'))
})
after(async () => {
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-interferences-'))
  to = join(folder, 'repository')
})
afterEach(async () => {
  storage.mend()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Makes a backup of the server with its files in a bucket. While the first file is read, something happens. */
async function backUpDuring(happening: () => Promise<unknown>): Promise<void> {
  storage.break(
    async ({ serve }) => {
      await happening()
      await serve()
    },
    ['GET'],
  )
  const config = { ...server.deps.config, s3: storage.settings }
  await backUp({ ...server, deps: { ...server.deps, config } }, [`--to=${to}`])
}

async function stored(name: string): Promise<string[]> {
  const entries = await readdir(join(to, name), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test('BACKUP-8: a failed backup deletes its parts, and the next deletes those that a killed one left', async () => {
  await assert.rejects(
    backUpDuring(async () => {
      assert.ok((await stored('parts')).length > 10, 'tables were copied before')
      throw new Error('the storage is away')
    }),
    /^Error: the server's files cannot be read: /,
  )
  assert.deepEqual(await stored('parts'), [])
  const left = join(to, partName(newId()))
  await mkdir(dirname(left), { recursive: true })
  await writeFile(left, 'left')
  await writeFile(join(to, 'unfinished', newId()), 'left')
  await backUp(server, [`--to=${to}`])
  assert.equal((await stored('parts')).includes(left), false)
  assert.deepEqual(await stored('unfinished'), [])
})

test('BACKUP-15: a restored copy with the settings of the original makes no backup by itself, and takes over if it is asked to', async () => {
  await backUp(server, [`--to=${to}`, '--scheduled'])
  await server.deps.database.execute(sql`insert into restores default values`)
  await assert.rejects(backUp(server, [`--to=${to}`, '--scheduled', '--keep=1']), {
    message:
      `the newest backup in ${to} is of another installation: run npm run backup once if this one takes its place, and ` +
      'unset BACKUP_TO if it is a copy',
  })
  assert.equal((await stored('snapshots')).length, 1)
  await backUp(server, [`--to=${to}`])
  await backUp(server, [`--to=${to}`, '--scheduled'])
  assert.equal((await stored('snapshots')).length, 3)
})

test('BACKUP-16: no backup begins while a server migrates the database', async () => {
  const migrating = new pg.Client(await connectionOf(server))
  await migrating.connect()
  try {
    await migrating.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await assert.rejects(backUp(server, [`--to=${to}`]), {
      message: 'a server migrates the database now: make the backup again when it has started',
    })
  } finally {
    await migrating.end()
  }
  await backUp(server, [`--to=${to}`])
})

test('BACKUP-16: a backup that loses its lock, its parts or its key while it runs does not count', async () => {
  const client = new pg.Client(await connectionOf(server))
  await client.connect()
  const cut = () =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'foyer backup' and datname = current_database()`)
  try {
    await assert.rejects(backUpDuring(cut), {
      message: 'the connection to the database was lost during the backup',
    })
  } finally {
    await client.end()
  }
  const prune = async () => rm((await stored('parts'))[0] ?? '')
  await assert.rejects(backUpDuring(prune), /^Error: parts of this backup were deleted from .* while it ran/)
  const second = join(folder, 'second')
  await backUp(server, [`--to=${second}`])
  const replaceKey = async () =>
    writeFile(join(to, 'repository.json'), await readFile(join(second, 'repository.json')))
  await assert.rejects(backUpDuring(replaceKey), /^Error: another first backup has begun in /)
  assert.deepEqual([await stored('snapshots'), await stored('parts')], [[], []])
})

test('BACKUP-5: a changed header that asks for much memory or time is refused', async () => {
  await backUp(server, [`--to=${to}`])
  const path = join(to, 'repository.json')
  const text = await readFile(path, 'utf8')
  for (const cost of ['"N":32768,"r":100000,"p":1', '"N":32768,"r":8,"p":100000', '"N":0,"r":8,"p":1']) {
    await writeFile(path, text.replace('"N":32768,"r":8,"p":1', cost))
    await assert.rejects(backUp(server, [`--to=${to}`, '--list']), /repository\.json in .* is damaged/)
  }
})

test("BACKUP-11: a backup fails if the folder of the server's files is missing, or has none of them", async () => {
  await backUp(server, [`--to=${to}`])
  const files = join(server.dataDir, 'files')
  const added = await placeFile(server, { tenantId: newId(), bytes: Buffer.from('another picture') })
  await rename(files, join(folder, 'files'))
  try {
    await assert.rejects(
      backUp(server, [`--to=${to}`]),
      /^Error: the folder of the server's files .* mounted\?$/,
    )
    await mkdir(files)
    await assert.rejects(backUp(server, [`--to=${to}`]), {
      message: "none of the server's files is in its storage: is it mounted, and the right one?",
    })
    assert.equal((await stored('snapshots')).length, 1)
  } finally {
    await rm(files, { recursive: true, force: true })
    await rename(join(folder, 'files'), files)
  }
  await rm(join(files, added.tenant_id, added.id))
  const { lines } = await backUp(server, [`--to=${to}`])
  assert.ok(lines.includes(`missing: ${added.tenant_id}/${added.id}`), 'a single lost file is a warning')
})
