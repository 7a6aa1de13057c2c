import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { MAX_FORWARD_BYTES } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  BreakableStorage,
  breakOff,
  type Fault,
  fail,
  loseAnswer,
  onceOnly,
  refuseForRoom,
  refuseSignature,
} from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest, passTime, type StoredObjects } from '#test/file-consistency.ts'
import { readBytes } from '#test/object-storage/objects.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, countReserved, listHoldings } from '#test/storages.ts'
import { type PlacedFile, placeBucket, placeFile } from '#test/stored-files.ts'
import { claimFiles, discardFiles } from './actions.ts'
import { copyFiles } from './copies.ts'
import { findBucket, findFiles } from './queries.ts'
import type { FileTarget } from './reservation.ts'
import { type FileRow, keyOf } from './rows.ts'

const text = 'what is in the file'

let first: BreakableStorage
let second: BreakableStorage
let server: TestServer
const buckets: Record<string, () => StoredObjects> = {}
const storages = { buckets }

before(async () => {
  first = await BreakableStorage.start()
  second = await BreakableStorage.start()
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
})
after(async () => {
  await server.close()
  await Promise.all([first.close(), second.close()])
})

let source: string
let target: FileTarget
beforeEach(() => {
  source = newId()
  target = {
    tenantId: newId(),
    ownerId: newId(),
    purpose: 'message',
    where: 'bucket-or-own',
    channelId: newId(),
  }
})
afterEach(async () => {
  await checkFiles(server, storages)
  first.mend()
  second.mend()
  await checkFilesAtRest(server, storages)
})

async function addBucket(tenantId: string, storage: BreakableStorage): Promise<string> {
  const id = await placeBucket(server, tenantId, storage.settings)
  await server.deps.database.execute(sql`update storage_buckets set active = true where id = ${id}`)
  buckets[id] = () => viewOf(storage)
  return id
}

const views = new Map<BreakableStorage, Map<string, number>>()

/** Returns the sizes of the storage’s objects by key. All buckets of the storage get the same map. */
function viewOf(storage: BreakableStorage): StoredObjects {
  const view = views.get(storage) ?? new Map<string, number>()
  view.clear()
  for (const [key, size] of storage.list()) view.set(key, size)
  views.set(storage, view)
  return view
}

async function rowsOf(files: readonly PlacedFile[]): Promise<FileRow[]> {
  const found = await findFiles(
    server.deps.database,
    source,
    files.map(({ id }) => id),
  )
  const byId = new Map(found.map((file) => [file.id, file]))
  return files.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Inserts live files in the source. Returns their rows. */
async function placeFiles(count: number, bucketId?: string, bytes = Buffer.from(text)): Promise<FileRow[]> {
  const files: PlacedFile[] = []
  for (let made = 0; made < count; made += 1) {
    const given = { tenantId: source, bytes, filename: `${made}.png`, ...(bucketId && { bucketId }) }
    files.push(await placeFile(server, given))
  }
  return rowsOf(files)
}

const copy = (files: readonly FileRow[]) => copyFiles(server.deps, target, files)

const ids = (files: readonly FileRow[]) => files.map(({ id }) => id)

async function contentOf(file: FileRow): Promise<string> {
  const bucket = await findBucket(server.deps.database, file.tenant_id, file.bucket_id)
  assert.ok(bucket)
  return String(await readBytes(server.deps.stores.of(bucket), keyOf(file)))
}

/** Deletes the originals with their objects, and checks that the copies, live by now, stay. */
async function outlive(copies: readonly FileRow[], originals: readonly FileRow[]): Promise<void> {
  await server.deps.database.transaction(async (transaction) => {
    await claimFiles(transaction, target.tenantId, ids(copies))
    await discardFiles(transaction, source, ids(originals))
  })
  await passTime(server)
}

async function assertNothingStored(): Promise<void> {
  assert.deepEqual(await listHoldings(server, target.tenantId), { ids: [], usedBytes: 0 })
}

const factsOf = ({ filename, content_type, size_bytes, width, height, animated, purpose }: FileRow) => {
  return { filename, content_type, size_bytes, width, height, animated, purpose }
}

type Whither = BreakableStorage | 'own' | 'same'

test('FILE-17: copies have the content and the properties of their originals, and outlive them, wherever both are', async () => {
  const ways: [BreakableStorage | 'own', Whither][] = [
    ['own', 'own'],
    ['own', first],
    [first, 'own'],
    [first, second],
    [first, 'same'],
  ]
  for (const [from, to] of ways) {
    source = newId()
    target = { ...target, tenantId: to === 'same' ? source : newId() }
    const bucketId = from === 'own' ? undefined : await addBucket(source, from)
    if (typeof to !== 'string') await addBucket(target.tenantId, to)
    const originals = await placeFiles(3, bucketId)
    await server.deps.database.execute(sql`
      update attachments set width = 7, height = 9, animated = true where tenant_id = ${source}`)
    const asked = first.requests.length + second.requests.length
    const given = await rowsOf(originals)
    const copies = await copy(given)
    const isWithin = from === 'own' ? to === 'own' : to === 'same'
    const requests = first.requests.length + second.requests.length - asked
    if (isWithin) assert.equal(requests, from === 'own' ? 0 : 3, 'past the server')
    assert.deepEqual(copies.map(factsOf), given.map(factsOf))
    assert.ok(copies.every((file) => file.state === 'stored' && file.channel_id === target.channelId))
    assert.ok(copies.every((file) => file.message_id === null && file.owner_id === target.ownerId))
    await checkFiles(server, storages)
    await outlive(copies, originals)
    assert.deepEqual(await listHoldings(server, target.tenantId), {
      ids: ids(copies).toSorted(),
      usedBytes: 3 * text.length,
    })
    for (const file of copies) assert.equal(await contentOf(file), text)
  }
})

test('FILE-17: an empty file can be copied', async () => {
  const originals = await placeFiles(1, undefined, Buffer.alloc(0))
  await addBucket(target.tenantId, first)
  const copies = await copy(originals)
  assert.deepEqual(
    copies.map(({ size_bytes }) => size_bytes),
    [0],
  )
  await outlive(copies, originals)
})

test('FILE-17: deleted files are not copied, not even those deleted during the copy', async () => {
  const bucketId = await addBucket(source, first)
  const [kept, deleted, gone] = await placeFiles(3, bucketId)
  assert.ok(kept && deleted && gone)
  await server.deps.database.transaction((transaction) => discardFiles(transaction, source, [deleted.id]))
  first.objects.delete(keyOf(gone))
  const files = [...(await rowsOf([deleted])), gone, kept]
  const copies = await copy(files)
  assert.deepEqual(
    copies.map(({ filename }) => filename),
    [kept.filename],
  )
  assert.deepEqual((await listHoldings(server, target.tenantId)).ids, ids(copies))
  assert.equal(await countReserved(server, target.tenantId), 2)
  assert.deepEqual(await copy(await rowsOf([deleted])), [])
  await server.deps.database.execute(
    sql`update storage_buckets set deleted_at = now() where id = ${bucketId}`,
  )
  assert.deepEqual(await copy([kept]), [])
  await server.deps.database.execute(sql`update storage_buckets set deleted_at = null where id = ${bucketId}`)
  await server.deps.database.transaction((transaction) => discardFiles(transaction, source, [gone.id]))
})

test('FILE-17: copies over the size limit are 413, and nothing is kept', async () => {
  const originals = await placeFiles(2)
  const half = MAX_FORWARD_BYTES / 2
  const [one, other] = originals.map((file) => ({ ...file, size_bytes: half }))
  assert.ok(one && other)
  await assert.rejects(copy([one, { ...other, size_bytes: half + 1 }]), { code: 'upload_too_large' })
  assert.equal(await countReserved(server, target.tenantId), 0)
  assert.equal((await copy(originals)).length, 2)
})

test('FILE-17: copies take space like uploads, under the same limits', async () => {
  const originals = await placeFiles(2)
  const maxBytes = 2 * text.length - 1
  await addStorage(server, target.tenantId, { maxBytes })
  await assert.rejects(copy(originals), { code: 'storage_full' })
  await assertNothingStored()
  target = { ...target, tenantId: newId() }
  await addStorage(server, target.tenantId, { uploadLimitBytes: text.length - 1 })
  await assert.rejects(copy(originals), { code: 'upload_too_large' })
  await assertNothingStored()
  target = { ...target, tenantId: newId() }
  await addStorage(server, target.tenantId, { maxBytes: maxBytes + 1, uploadLimitBytes: text.length })
  assert.equal((await copy(originals)).length, 2)
  await assert.rejects(copy(originals.slice(0, 1)), { code: 'storage_full' })
})

test('FILE-17: simultaneous copies do not exceed the limit together', async () => {
  const originals = await placeFiles(1)
  await addStorage(server, target.tenantId, { maxBytes: 3 * text.length })
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => copy(originals)))
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 3)
})

const failures: Record<string, [Fault, ['GET' | 'PUT'], string]> = {
  'cannot be read': [breakOff, ['GET'], 'storage_unavailable'],
  'refuses reads': [refuseSignature, ['GET'], 'storage_unavailable'],
  'serves only one file': [onceOnly(fail), ['GET'], 'storage_unavailable'],
  'refuses writes': [refuseSignature, ['PUT'], 'storage_unavailable'],
  'accepts only one file': [onceOnly(fail), ['PUT'], 'storage_unavailable'],
  'stores them without answering': [loseAnswer, ['PUT'], 'storage_unavailable'],
  'is full': [refuseForRoom, ['PUT'], 'storage_full'],
}

for (const [name, [fault, methods, code]] of Object.entries(failures)) {
  test(`FILE-17: a storage that ${name} leaves nothing of the copies, and a second attempt works`, async () => {
    const originals = await placeFiles(3, await addBucket(source, first))
    await addBucket(target.tenantId, second)
    for (const storage of [first, second]) storage.break(fault, methods)
    await assert.rejects(copy(originals), { code })
    await assertNothingStored()
    await checkFiles(server, storages)
    for (const storage of [first, second]) storage.mend()
    assert.equal((await copy(originals)).length, 3)
  })
}

test('FILE-17: a storage that sends too slowly is given up', async () => {
  const originals = await placeFiles(1, await addBucket(source, first))
  first.break(
    ({ response }) => {
      response.writeHead(206, { 'content-length': text.length })
      const dripping = setInterval(() => response.write('x'), 50)
      response.once('close', () => clearInterval(dripping))
    },
    ['GET'],
  )
  const impatient = copyFiles({ ...server.deps, fetchTimeoutMs: 100 }, target, originals)
  await assert.rejects(impatient, { code: 'storage_unavailable' })
  await assertNothingStored()
})

test('FILE-17: copies that a killed server had begun are given up and swept', async () => {
  const originals = await placeFiles(2, await addBucket(source, first))
  await addBucket(target.tenantId, second)
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  second.break(
    async (exchange) => {
      arrived.resolve()
      await released.promise
      await breakOff(exchange)
    },
    ['PUT'],
  )
  const refusal = assert.rejects(copy(originals), { code: 'storage_unavailable' })
  await arrived.promise
  assert.equal((await listHoldings(server, target.tenantId)).usedBytes, 2 * text.length)
  // Only the reservations lead to objects that an interrupted copy left.
  await passTime(server)
  await assertNothingStored()
  released.resolve()
  await refusal
})

test('FILE-17: a sender with the maximum number of forms under way gets 503', async () => {
  const originals = await placeFiles(1)
  const places = Array.from({ length: 128 }, () => server.deps.formSpace.enter(target.ownerId))
  await assert.rejects(copy(originals), { code: 'unavailable' })
  for (const place of places) place.leave()
  assert.equal((await copy(originals)).length, 1)
})
