import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { BreakableStorage, breakOff, hang, loseAnswer, refuseSignature } from '#test/breakable-storage.ts'
import { checkFiles, listFolderObjects } from '#test/file-consistency.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type PlacedFile, placeBucket, placeFile } from '#test/stored-files.ts'
import { discardFiles } from './actions.ts'
import { keyOf } from './rows.ts'
import { sweepFiles } from './sweeper.ts'

const bytes = Buffer.from('an object')

let server: TestServer
let storage: BreakableStorage
let spaceId: string
let bucketId: string

before(async () => {
  storage = await BreakableStorage.start()
  // No jobs: the minutely sweep would delete what these tests sweep themselves.
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], services: ['api'] })
})
after(async () => {
  storage.mend()
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  spaceId = newId()
  bucketId = await placeBucket(server, spaceId, storage.settings)
})
afterEach(async () => {
  storage.mend()
  await checkFiles(server, { buckets: { [bucketId]: () => storage.list() } })
})

const sweep = (signal = new AbortController().signal) =>
  sweepFiles({ ...server.deps, objectTimeoutMs: 1000 }, signal)

/** Inserts deleted files that are due for the sweep. */
async function placeDeleted(count: number, where: { tenantId: string; bucketId?: string }) {
  const files: PlacedFile[] = []
  for (let index = 0; index < count; index += 1)
    files.push(await placeFile(server, { ...where, state: 'deleted', bytes }))
  await makeDue(files)
  return files
}

async function makeDue(files: readonly PlacedFile[]): Promise<void> {
  await server.deps.database.execute(sql`
    update attachments set sweep_at = now() - interval '1 second' where id = any(${files.map(({ id }) => id)})`)
}

interface SweepState {
  state: string
  attempts: number
  /** Minutes until the next attempt. */
  minutes: number
}

async function stateOf({ id }: PlacedFile): Promise<SweepState | undefined> {
  const [row] = await server.deps.database.query<SweepState & { id: string }>(sql`
    select state, sweep_attempts as attempts, round(extract(epoch from sweep_at - now()) / 60)::int as minutes
    from attachments where id = ${id}`)
  return row
}

const states = (files: readonly PlacedFile[]) =>
  Promise.all(files.map(async (file) => (await stateOf(file))?.state))

test('FILE-13: objects that nothing shows are deleted, in every storage', async () => {
  const own = await placeDeleted(2, { tenantId: spaceId })
  const others = await placeDeleted(2, { tenantId: spaceId, bucketId })
  assert.deepEqual(storage.list().size, 2)
  await sweep()
  assert.deepEqual(await states([...own, ...others]), Array(4).fill('removed'))
  assert.equal(storage.list().size, 0)
  const folder = await listFolderObjects(server)
  assert.ok(own.every((file) => !folder.has(keyOf(file))))
})

test('FILE-13: the server sweeps a deleted file at once', async (t) => {
  const whole = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  t.after(() => whole.close())
  const bucket = await placeBucket(whole, spaceId, storage.settings)
  const file = await placeFile(whole, { tenantId: spaceId, bucketId: bucket, bytes })
  const gone = Promise.withResolvers<void>()
  storage.break(
    async ({ serve }) => {
      await serve()
      gone.resolve()
    },
    ['DELETE'],
  )
  await whole.deps.database.transaction((transaction) => discardFiles(transaction, spaceId, [file.id]))
  await gone.promise
})

for (const [name, fault] of Object.entries({ breakOff, hang, refuseSignature })) {
  test(`FILE-13: a bucket that fails (${name}) is asked once per run, and delays only its own files`, async () => {
    const stuck = await placeDeleted(30, { tenantId: spaceId, bucketId })
    const own = await placeDeleted(3, { tenantId: spaceId })
    const asked = storage.requests.length
    storage.break(fault)
    await sweep()
    assert.deepEqual(await states(own), Array(3).fill('removed'))
    assert.deepEqual(await states(stuck), Array(30).fill('deleted'))
    const requests = storage.requests.length - asked
    // Two if a connection broke off and the request was repeated.
    assert.ok(requests >= 1 && requests <= 2, `${requests} requests`)
    storage.mend()
    await sweep()
    assert.deepEqual(await states(stuck), Array(30).fill('deleted'), 'it is not yet time')
    await makeDue(stuck)
    await sweep()
    assert.deepEqual(await states(stuck), Array(30).fill('removed'))
  })
}

test('FILE-13: many files waiting for an unavailable bucket do not delay others', async () => {
  const many = newId()
  const downId = await placeBucket(server, many, storage.settings)
  await server.deps.database.execute(sql`
    insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, filename, content_type, size_bytes,
      sweep_at)
    select ${many}, gen_random_uuid(), ${downId}, ${many}, 'message', 'deleted', 'f', 'image/png', 1,
      now() - interval '1 hour' from generate_series(1, 5000)`)
  const own = await placeDeleted(1, { tenantId: spaceId })
  storage.break(breakOff)
  await sweep()
  await sweep()
  assert.deepEqual(await states(own), ['removed'])
  const [left] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from attachments where tenant_id = ${many} and sweep_at <= now()`)
  assert.equal(left?.count, 0)
  await server.deps.database.execute(sql`delete from attachments where tenant_id = ${many}`)
})

test('FILE-13: attempts come after a minute, then at growing intervals of up to six hours, without end', async () => {
  const files = await placeDeleted(1, { tenantId: spaceId, bucketId })
  const [file] = files
  assert.ok(file)
  storage.break(breakOff)
  const minutes: unknown[] = []
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await makeDue(files)
    await sweep()
    minutes.push((await stateOf(file))?.minutes)
  }
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
  await server.deps.database.execute(sql`update attachments set sweep_attempts = 1000 where id = ${file.id}`)
  await makeDue(files)
  await sweep()
  assert.deepEqual(await stateOf(file), { state: 'deleted', attempts: 1000, minutes: 360 })
  storage.mend()
  await makeDue(files)
  await sweep()
  assert.equal((await stateOf(file))?.state, 'removed')
})

test('FILE-13: a deletion whose answer was lost is repeated', async () => {
  const files = await placeDeleted(1, { tenantId: spaceId, bucketId })
  storage.break(loseAnswer)
  await sweep()
  assert.deepEqual([await states(files), storage.list().size], [['deleted'], 0])
  storage.mend()
  await makeDue(files)
  await sweep()
  assert.deepEqual(await states(files), ['removed'])
})

test('FILE-13: a server that stops waits for no storage, and the next one continues', async () => {
  const files = await placeDeleted(3, { tenantId: spaceId, bucketId })
  const stopping = new AbortController()
  storage.break(() => stopping.abort())
  const isMore = await sweepFiles(server.deps, stopping.signal)
  assert.equal(isMore, false)
  assert.deepEqual(await states(files), Array(3).fill('deleted'))
  storage.mend()
  await makeDue(files)
  await sweep()
  assert.deepEqual(await states(files), Array(3).fill('removed'))
})

test('FILE-13: one of several simultaneous sweeps deletes each object', async () => {
  await placeDeleted(20, { tenantId: spaceId, bucketId })
  const asked = storage.requests.length
  await Promise.all([sweep(), sweep(), sweep()])
  assert.equal(storage.requests.length - asked, 20)
})

test('FILE-13: an object that a storage finished late is deleted a day later, and only then forgotten', async () => {
  const files = await placeDeleted(1, { tenantId: spaceId, bucketId })
  const [file] = files
  assert.ok(file)
  await sweep()
  assert.deepEqual(await stateOf(file), { state: 'removed', attempts: 0, minutes: 24 * 60 })
  storage.objects.set(keyOf(file), bytes)
  await makeDue(files)
  await sweep()
  assert.deepEqual([await stateOf(file), storage.list().size], [undefined, 0])
})

test('FILE-13: a file that a message still shows as deleted is remembered until the message is deleted', async () => {
  const roomId = newId()
  const messageId = newId()
  await server.deps.database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    values (${spaceId}, ${roomId}, ${messageId}, 1, ${spaceId}, 'look', now())`)
  const shown = { tenantId: spaceId, bucketId, roomId, messageId }
  const file = await placeFile(server, { ...shown, state: 'deleted', bytes })
  await makeDue([file])
  await sweep()
  for (let month = 0; month < 2; month += 1) {
    await makeDue([file])
    await sweep()
    assert.deepEqual(await stateOf(file), { state: 'removed', attempts: 0, minutes: 30 * 24 * 60 })
  }
  await server.deps.database.execute(sql`delete from messages where id = ${messageId}`)
  await makeDue([file])
  await sweep()
  assert.equal(await stateOf(file), undefined)
})

test('FILE-16: a deleted bucket is kept until none of its objects can be left', async () => {
  const files = await placeDeleted(2, { tenantId: spaceId, bucketId })
  const isThere = async () => {
    await sweep()
    const rows = await server.deps.database.query(sql`select id from storage_buckets where id = ${bucketId}`)
    return rows.length > 0
  }
  await server.deps.database.execute(
    sql`update storage_buckets set deleted_at = now() where id = ${bucketId}`,
  )
  storage.break(refuseSignature)
  assert.equal(await isThere(), true)
  storage.mend()
  await makeDue(files)
  assert.equal(await isThere(), true)
  assert.deepEqual(await states(files), ['removed', 'removed'])
  await makeDue(files)
  assert.equal(await isThere(), false)
})
