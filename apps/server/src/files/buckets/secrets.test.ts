import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#src/config.ts'
import { createLog } from '#src/kernel/log.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'

const FIRST = 'Kj8sX2sKq3cretQ0pZ7wrTg5'
const SECOND = 'Mn4vB9rTt7atedL1yH6ceUd3'
const WRONG = 'Zz1xC5wRr0ngD2uJ8feIk4Oa'

let database: TestDatabase
let dataDir: string
let server: RunningServer
let s3: FakeS3
let owner: Person
const lines: string[] = []
const answers: string[] = []

before(async () => {
  database = await cloneDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })
  const log = createLog('trace', { write: (line) => lines.push(line) })
  server = await startServer({ config, connection: database.connection, log })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  s3.secretAccessKey = FIRST
  owner = await createPerson(server, 'owner')
  await useSecrets()
})
after(async () => {
  await server.close()
  await s3.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

/** Runs everything that takes a secret, and everything that signs with one. */
async function useSecrets(): Promise<void> {
  const { id, general } = await makeSpace(owner)
  const path = `/api/spaces/${id}/buckets`
  const call = async (method: string, url: string, body?: object) => {
    const answer = await owner.call(method, url, body)
    answers.push(JSON.stringify(answer))
    return answer.status
  }
  assert.equal(await call('POST', path, bucketBody(s3)), 200)
  assert.equal(await call('POST', path, bucketBody(s3, { secret_access_key: WRONG })), 400)
  assert.equal(await call('POST', path, bucketBody(s3, { secret_access_key: WRONG, name: '' })), 400)
  assert.equal(await call('POST', path, { ...bucketBody(s3), secret_access_key: `${WRONG} ` }), 400)
  const [bucket] = await owner.client.buckets.list(id)
  const own = `${path}/${bucket?.id}`
  const message = await owner.client.messages.createWithFiles(general, {}, [note('a file')])
  answers.push(JSON.stringify(message))
  const download = await fetch(owner.client.addressOf(message.attachments[0]?.url ?? ''), {
    redirect: 'manual',
  })
  assert.match(download.headers.get('location') ?? '', /X-Amz-Signature=/)
  answers.push(JSON.stringify([...download.headers]))
  const body = { filename: 'a', size_bytes: 1, content_type: 'text/plain' }
  assert.equal(await call('POST', `/api/rooms/${general}/attachments`, body), 200)
  assert.equal(await call('PATCH', own, { secret_access_key: WRONG }), 400)
  s3.secretAccessKey = SECOND
  assert.equal(await call('PUT', own, { secret_access_key: SECOND, name: 'Renamed' }), 200)
  assert.equal(await call('POST', `${own}/deactivate`), 204)
  assert.equal(await call('GET', path), 200)
  assert.equal(await call('DELETE', `${own}?discard_files=true`), 204)
}

/** Returns the spellings that a dump or a header might use. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [bytes.toString('base64'), bytes.toString('base64url')].map((text) => text.slice(0, 24))
  return [secret, bytes.toString('hex'), ...encoded, secret.slice(4, 16)]
}

function findSecrets(text: string): string[] {
  return [FIRST, SECOND, WRONG].flatMap(spellingsOf).filter((spelling) => text.includes(spelling))
}

test('BUCKET-12: no answer contains a secret', () => {
  assert.ok(answers.length > 10)
  assert.deepEqual(findSecrets(answers.join('\n')), [])
  assert.ok(answers.join('\n').includes(bucketBody(s3).access_key_id))
})

test('BUCKET-12: no row of the database contains a secret, journal and jobs included', async () => {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(`
    select quote_ident(nspname) || '.' || quote_ident(relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema')`)
  const dump: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select line::text as row from ${name} line`)
    dump.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  await client.end()
  const text = dump.join('\n')
  assert.deepEqual(findSecrets(text), [])
  assert.ok(text.includes('SPACE_BUCKET_UPDATE') && text.includes('storage_buckets'))
})

test('BUCKET-12: the stored secret can be opened for this bucket only', async () => {
  const [bucket] = await server.deps.database.query<{ id: string; secret: Buffer }>(sql`
    select id, secret from storage_buckets where kind = 's3' order by id`)
  assert.ok(bucket !== undefined)
  assert.equal(server.deps.sealer.open(bucket.secret, bucket.id), SECOND)
  assert.throws(() => server.deps.sealer.open(bucket.secret, owner.id))
})

test('BUCKET-12: no log line and no file of the server contains a secret', async () => {
  assert.ok(lines.length > 10)
  assert.deepEqual(findSecrets(lines.join('\n')), [])
  for (const name of await readdir(dataDir, { recursive: true })) {
    const path = join(dataDir, name)
    if ((await stat(path)).isFile()) assert.deepEqual(findSecrets(await readFile(path, 'latin1')), [], name)
  }
})
