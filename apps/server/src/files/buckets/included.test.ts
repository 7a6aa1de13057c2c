import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { makeOwnBucket } from '#src/files/objects/queries.ts'
import type { BucketRow } from '#src/files/objects/rows.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase } from '#test/database.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { renewGrants } from './grants.ts'

const INCLUDED_BYTES = 100_000
const LIMIT_BYTES = 60_000

let server: TestServer
let owner: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer({ includedStorageBytes: INCLUDED_BYTES, uploadLimitBytes: LIMIT_BYTES })
  owner = await createPerson(server, 'owner')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner)
  path = `/api/spaces/${space.id}/buckets`
})

const list = () => owner.client.buckets.list(space.id)
const published = () => listJournal(server, topicOf.space(space.id))

test('BUCKET-8: the included storage is a bucket without an endpoint, with the operator’s limits', async () => {
  const before = await published()
  const bucket = await owner.client.buckets.createIncluded(space.id)
  const { id, created_at, updated_at, ...rest } = bucket
  const nowhere = { endpoint: '', region: null, bucket_name: '', access_key_id: '', use_path_style: false }
  const limits = { max_bytes: INCLUDED_BYTES, upload_limit_bytes: LIMIT_BYTES, used_bytes: 0 }
  const name = 'Included storage'
  const state = { active: true, direct_upload: true, included: true }
  assert.deepEqual(rest, { space_id: space.id, name, ...nowhere, ...limits, ...state })
  assert.deepEqual(await list(), [bucket])
  assert.deepEqual(
    (await published()).slice(before.length).map((event) => event.data),
    [bucket],
  )
  const emoji = await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  assert.equal(emoji.name, 'tea')
  assert.ok(((await list())[0]?.used_bytes ?? 0) > 0)
})

test('BUCKET-8: adding it again, at once or later, gives the same bucket', async () => {
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const added = Promise.all([1, 2, 3].map(() => owner.client.buckets.createIncluded(space.id)))
  await lock.waitForBlocked(3)
  await lock.release()
  const [bucket, ...others] = await added
  for (const other of others) assert.deepEqual(other, bucket)
  const before = await published()
  assert.deepEqual(await owner.client.buckets.createIncluded(space.id), bucket)
  assert.deepEqual(await published(), before)
  assert.deepEqual(await list(), [bucket])
})

test('BUCKET-8: only the name of the included storage can change', async () => {
  const { id } = await owner.client.buckets.createIncluded(space.id)
  const renamed = await owner.client.buckets.update(space.id, id, { name: 'Theirs' })
  assert.equal(renamed.name, 'Theirs')
  const fixed = [
    { max_bytes: null },
    { max_bytes: 1 },
    { upload_limit_bytes: 1 },
    { endpoint: 'http://8.8.8.8' },
  ]
  for (const change of [...fixed, { region: null }, { secret_access_key: 'x' }, { use_path_style: true }])
    assert.equal(
      await codeOf(owner.call('PATCH', `${path}/${id}`, { name: 'Ours', ...change })),
      '400 included_is_fixed',
    )
  assert.deepEqual(await list(), [renamed])
})

test('BUCKET-8: deleting and adding it gives another bucket', async () => {
  const first = await owner.client.buckets.createIncluded(space.id)
  await owner.client.buckets.delete(space.id, first.id)
  assert.deepEqual(await list(), [])
  const second = await owner.client.buckets.createIncluded(space.id)
  assert.notEqual(second.id, first.id)
  assert.deepEqual(await list(), [second])
})

test('BUCKET-8: adding it is refused if the operator includes none', async () => {
  const { id } = await owner.client.buckets.createIncluded(space.id)
  const without = await startTestServer({ includedStorageBytes: 0 })
  const other = await createPerson(without, 'other')
  const { id: spaceId } = await makeSpace(other)
  const answer = await other.call('POST', `/api/spaces/${spaceId}/buckets/included`)
  const buckets = await other.client.buckets.list(spaceId)
  await without.close()
  assert.deepEqual(answer, {
    status: 403,
    code: 'included_off',
    body: { error: 'this server offers no included storage' },
  })
  assert.deepEqual(buckets, [])
  assert.equal((await list())[0]?.id, id)
})

test('BUCKET-9: the server’s storage has the operator’s current limits after the next start', async () => {
  const { connection, drop } = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  const usual = { ...readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' }), uploadLimitBytes: 7 }
  const log = pino({ level: 'silent' })
  const start = (includedStorageBytes: number, defaultStorageBytes: number | undefined) =>
    startServer({ config: { ...usual, includedStorageBytes, defaultStorageBytes }, connection, log })
  let running = await start(60, 600)
  const other = await createPerson(running, 'other')
  const { id } = await makeSpace(other)
  await other.client.buckets.createIncluded(id)
  const { database, ownLimits } = running.deps
  await database.transaction((transaction) => makeOwnBucket(transaction, id, ownLimits))
  assert.deepEqual(await limitsOf(running), { included: [60, 7], own: [600, 7] })
  const grants = [
    { included: 70, own: 700, become: { included: [70, 7], own: [700, 7] } },
    { included: 70, own: undefined, become: { included: [70, 7], own: [null, 7] } },
    // A share that is no longer granted takes no new files.
    { included: 0, own: 500, become: { included: [1, 7], own: [500, 7] } },
  ]
  for (const { included, own, become } of grants) {
    await running.close()
    running = await start(included, own)
    assert.deepEqual(await limitsOf(running), become)
  }
  await running.close()
  await drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

async function limitsOf({ deps }: RunningServer): Promise<Record<string, (number | null)[]>> {
  const rows = await deps.database.query<Pick<BucketRow, 'kind' | 'max_bytes' | 'upload_limit_bytes'>>(sql`
    select kind, max_bytes, upload_limit_bytes from storage_buckets order by kind`)
  return Object.fromEntries(rows.map((row) => [row.kind, [row.max_bytes, row.upload_limit_bytes]]))
}

test('BUCKET-9: the limits apply however many storages there are', async () => {
  const ownLimits = { maxBytes: 77, uploadLimitBytes: 7 }
  const { database, config } = server.deps
  await database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind) select id, id, 'own'
    from (select gen_random_uuid() as id from generate_series(1, 12000)) as tenants`)
  await renewGrants({ database, config, ownLimits })
  const left = await database.query(sql`
    select id from storage_buckets where kind = 'own' and (max_bytes, upload_limit_bytes) is distinct from (77, 7)`)
  assert.equal(left.length, 0)
  await renewGrants(server.deps)
})
