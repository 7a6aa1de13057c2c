import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { backUp, PASSPHRASE, restore, restoreSettings } from '#test/backups/commands.ts'
import { contentsOf, schemaOf } from '#test/backups/contents.ts'
import { connectionOf, makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'
import { until } from '#test/until.ts'

let server: TestServer
let ada: Person
let space: TestSpace
let folder: string
let to: string
let database: TestDatabase
let dataDir: string

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-backups-'))
  to = join(folder, 'repository')
  dataDir = join(folder, 'data')
  database = await makeEmptyDatabase()
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

const restoreHere = () => restore(restoreSettings(dataDir, database), [`--from=${to}`])
const partsIn = async () =>
  (await readdir(join(to, 'parts'), { recursive: true })).filter((name) => name.includes('/'))

test('BACKUP-1: a backup made while messages are sent has every message acknowledged before it, and none torn', async () => {
  const acknowledged: string[] = []
  let isSending = true
  const senders = Array.from({ length: 4 }, async () => {
    while (isSending) {
      const { id } = await ada.client.messages.create(space.general, { content: `message ${newId()}` })
      acknowledged.push(id)
    }
  })
  await until(async () => acknowledged.length >= 20, 'messages are sent')
  const before = [...acknowledged]
  await backUp(server, [`--to=${to}`])
  isSending = false
  await Promise.all(senders)
  assert.ok(
    before.length > 0 && acknowledged.length > before.length,
    'messages were sent before and during it',
  )

  await restoreHere()

  const restored = await contentsOf(database.connection)
  const messages = await ask<{ id: string; seq: number; head: number }>(`
    select messages.id, messages.seq::int as seq, message_heads.last_seq::int as head
    from messages left join message_heads using (tenant_id, channel_id) where channel_id = '${space.general}'`)
  const ids = new Set(messages.map(({ id }) => id))
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
  )
  assert.ok(
    messages.every(({ seq, head }) => seq <= head),
    'no message is ahead of its room',
  )
  assert.match(restored.users ?? '', /^\d+ [0-9a-f]{64}$/)
})

test('RESTORE-1: a restored database has the rows, the indexes, the constraints and the sequences of the backup', async (t) => {
  const text = 'tab\t, line\n, backslash \\ and ünicode 🫖'
  await server.deps.database.execute(sql`
    select graphile_worker.add_job('nobody_does_this', ${JSON.stringify({ text })}::json,
      run_at => now() + interval '1 year')`)
  await server.deps.database.execute(sql`
    update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'worker'
    from graphile_worker._private_tasks where task_id = _private_tasks.id and identifier = 'nobody_does_this'`)
  // Nobody will unlock it, for which the next file would wait.
  t.after(() => server.deps.database.execute(sql`update graphile_worker._private_jobs set locked_at = null`))
  await backUp(server, [`--to=${to}`])
  const source = await connectionOf(server)
  const [rows, schema] = [await contentsOf(source), await schemaOf(source)]
  await restoreHere()
  const restored = await contentsOf(database.connection)
  // The server goes on: a row of its health is written every minute, maybe just after the backup.
  const ephemeral = (name: string) =>
    /^(restores|health_samples|graphile_worker\._private_(jobs|known_crontabs))$/.test(name)
  const compared = Object.keys(rows).filter((name) => !ephemeral(name))
  for (const name of compared) assert.equal(restored[name], rows[name], name)
  assert.ok(compared.length > 60, 'all tables are compared')
  assert.deepEqual(await schemaOf(database.connection), schema)
  const [job] = await ask<{ payload: { text: string }; attempts: number; locked_by: string | null }>(
    `select payload, attempts, locked_by from graphile_worker._private_jobs join graphile_worker._private_tasks on task_id = _private_tasks.id
    where identifier = 'nobody_does_this'`,
  )
  assert.deepEqual([job?.payload.text, job?.attempts, job?.locked_by], [text, 0, null])
  const [sequence] = await ask<{ is_ahead: boolean }>(`
    select nextval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) >
      (select max(id) from graphile_worker._private_jobs) as is_ahead`)
  assert.equal(sequence?.is_ahead, true)
})

test('BACKUP-2: a file that an earlier backup holds is not copied again, and old backups go with the parts only they have', async () => {
  const bytes = Buffer.from('an old picture')
  await placeFile(server, { tenantId: space.id, bytes })
  await backUp(server, [`--to=${to}`])
  const gone = await placeFile(server, { tenantId: newId(), bytes: Buffer.from('soon gone') })
  const second = await backUp(server, [`--to=${to}`])
  assert.match(second.lines[1] ?? '', /copied 0\.0 MB/)
  const entries = await partsIn()
  await server.deps.database.execute(sql`delete from attachments where id = ${gone.id}`)
  const third = await backUp(server, [`--to=${to}`, '--keep=1'])
  assert.equal(third.lines.filter((line) => line.startsWith('deleted ')).length, 2)
  assert.equal((await readdir(join(to, 'snapshots'))).length, 1)
  const left = await partsIn()
  const shared = left.filter((name) => entries.includes(name))
  assert.ok(shared.length > 0, 'the files of earlier backups are still used')
  assert.ok(left.length < entries.length, 'parts of old backups are gone')
  const { lines } = await backUp(server, [`--to=${to}`, '--verify'])
  assert.match(lines[0] ?? '', /can be restored/)
})

test('BACKUP-3: nothing in a backup can be read without the passphrase, and a wrong one is refused', async () => {
  await ada.client.messages.create(space.general, { content: 'teatime secret' })
  await placeFile(server, { tenantId: space.id, bytes: Buffer.from('teatime picture') })
  await backUp(server, [`--to=${to}`])
  for (const name of await listFiles(to)) {
    const bytes = await readFile(name)
    for (const word of ['teatime', 'messages', ada.id, space.id])
      assert.equal(bytes.includes(word), false, name)
  }
  const wrong = { passphrase: 'tea with two lumps only' }
  const refusal = { message: `the passphrase does not open the backups in ${to}` }
  await assert.rejects(backUp(server, [`--to=${to}`], wrong), refusal)
  await assert.rejects(backUp(server, [`--to=${to}`, '--list'], wrong), refusal)
  const settings = { ...restoreSettings(dataDir, database), BACKUP_PASSPHRASE: wrong.passphrase }
  await assert.rejects(restore(settings, [`--from=${to}`]), refusal)
  await assert.rejects(backUp(server, [`--to=${to}`], { passphrase: undefined }), {
    message: 'backups are encrypted: set BACKUP_PASSPHRASE or BACKUP_KEY_FILE',
  })
})

test('BACKUP-3: a key file works like a passphrase, and only the same one', async () => {
  const [keyFile, other] = [join(folder, 'key'), join(folder, 'other')]
  await writeFile(keyFile, Buffer.alloc(32, 7))
  await writeFile(other, Buffer.alloc(32, 8))
  const withKey = (path: string) => ({ passphrase: undefined, keyFile: path })
  await backUp(server, [`--to=${to}`], withKey(keyFile))
  assert.equal((await backUp(server, [`--to=${to}`, '--list'], withKey(keyFile))).lines.length, 1)
  await assert.rejects(backUp(server, [`--to=${to}`, '--list'], withKey(other)), /the key file does not open/)
  await assert.rejects(backUp(server, [`--to=${to}`, '--list']), /encrypted with a key file/)
  await assert.rejects(
    backUp(server, [`--to=${to}`, '--list'], { ...withKey(keyFile), passphrase: PASSPHRASE }),
    {
      message: 'BACKUP_PASSPHRASE and BACKUP_KEY_FILE are both set: remove one of them',
    },
  )
})

test('BACKUP-4: --list shows each backup, and --verify and a restore take a named one', async () => {
  await backUp(server, [`--to=${to}`])
  await ada.client.messages.create(space.general, { content: 'later' })
  await backUp(server, [`--to=${to}`])
  const { lines } = await backUp(server, [`--to=${to}`, '--list'])
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^\d{8}T\d{9}Z {2}\d+ rows, \d+ files of [\d.]+ MB, version /)
  const [first = ''] = (lines[0] ?? '').split(' ')
  const { lines: result } = await restore(restoreSettings(dataDir, database), [
    `--from=${to}`,
    `--snapshot=${first}`,
  ])
  assert.match(result[0] ?? '', new RegExp(`^restored ${first} from `))
  const later = await ask(`select id from messages where content = 'later'`)
  assert.deepEqual(later, [])
  await assert.rejects(backUp(server, [`--to=${to}`, '--verify', '--snapshot=20200101T000000000Z']), {
    message: `there is no backup 20200101T000000000Z in ${to}`,
  })
})

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

async function ask<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}
