import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { passTime } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf, note, postForm } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'

let server: TestServer
let s3: FakeS3
let owner: Person
let space: TestSpace
let bucketId: string
let path: string

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  owner = await createPerson(server, 'owner')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  space = await makeSpace(owner)
  bucketId = (await owner.client.buckets.create(space.id, bucketBody(s3))).id
  path = `/api/spaces/${space.id}/buckets/${bucketId}`
})

const MAX_WAIT_MS = 30_000
const deleteIt = () => codeOf(owner.call('DELETE', `${path}?discard_files=true`))

/** Waits until the image is stored but not shown. */
async function isStored(): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (Date.now() < deadline) {
    const [stored] = await server.deps.database.query(sql`
      select id from attachments where tenant_id = ${space.id} and state = 'stored'`)
    if (stored !== undefined) return
    await delay(20)
  }
  assert.fail('the picture was not stored')
}

/** Checks that nothing shows a file of the bucket, that its space is free, and that its objects are deleted. */
async function isAtRest(): Promise<void> {
  const statesOf = () =>
    server.deps.database.query<{ state: string }>(sql`
      select distinct state from attachments where tenant_id = ${space.id} and bucket_id = ${bucketId}
        and state in ('reserved', 'stored', 'live')`)
  const deadline = Date.now() + MAX_WAIT_MS
  while ((await statesOf()).length > 0 && Date.now() < deadline) await delay(20)
  assert.deepEqual(await statesOf(), [])
  const used = await server.deps.database.query<{ used_bytes: number }>(sql`
    select used_bytes from storage_buckets where id = ${bucketId}`)
  assert.ok(used.every(({ used_bytes }) => used_bytes === 0))
  await passTime(server)
  assert.deepEqual(
    [...s3.objects.keys()].filter((key) => key.includes(space.id)),
    [],
  )
}

for (const first of ['the emoji', 'the deletion']) {
  test(`BUCKET-10: an emoji created while its bucket is deleted is deleted with it, ${first} first`, async () => {
    const form = formOf(['name', 'tea'], ['image', await png()])
    const create = () => codeOf(owner.call('POST', `/api/spaces/${space.id}/emojis`, form))
    const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
    const [one, other] = first === 'the emoji' ? [create, deleteIt] : [deleteIt, create]
    const began = one()
    await lock.waitForBlocked(1)
    const followed = other()
    await lock.waitForBlocked(2)
    await isStored()
    await lock.release()
    const codes = [await began, await followed]
    const created = codes[first === 'the emoji' ? 0 : 1]
    assert.equal(codes[first === 'the emoji' ? 1 : 0], 204)
    // The job may have ended the upload before it was used.
    assert.ok(created === 200 || created === '503 unavailable', String(created))
    await isAtRest()
    assert.deepEqual(await owner.client.emojis.list(space.id), [])
    const told = await listJournal(server, topicOf.space(space.id))
    const names = told.map(({ name }) => name).filter((name) => name.startsWith('SPACE_EMOJI'))
    assert.deepEqual(names, created === 200 ? ['SPACE_EMOJI_CREATE', 'SPACE_EMOJI_DELETE'] : [])
  })
}

test('BUCKET-10: messages sent while the bucket is deleted show no missing file', async () => {
  const send = (text: string) => codeOf(postForm(owner, space.general, formOf(['file', note(text)])))
  const texts = Array.from({ length: 12 }, (_value, index) => `file ${index}`)
  const before = await Promise.all(texts.slice(0, 4).map(send))
  const under = texts.slice(4).map(send)
  const deleted = await deleteIt()
  const during = await Promise.all(under)
  assert.equal(deleted, 204)
  assert.deepEqual([...new Set(before)], [200])
  const expected = new Set<string | number>([200, '404 unknown_attachment', '503 unavailable'])
  assert.deepEqual(
    during.filter((code) => !expected.has(code)),
    [],
  )
  await isAtRest()
  const own = await server.deps.database.query<{ id: string }>(sql`
    select id from attachments where tenant_id = ${space.id} and bucket_id = ${space.id} and state = 'live'`)
  const shown = (await owner.client.messages.list(space.general)).flatMap(({ attachments }) => attachments)
  assert.equal(shown.filter(({ deleted_at }) => deleted_at === null).length, own.length)
  assert.ok(shown.every(({ url, deleted_at }) => (url === undefined) === (deleted_at !== null)))
})

test('BUCKET-10: one of two simultaneous deletions finds the bucket', async () => {
  await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const both = Promise.all([deleteIt(), deleteIt()])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await both).toSorted(), [204, '404 unknown_bucket'])
  await isAtRest()
  const told = await listJournal(server, topicOf.space(space.id))
  assert.equal(told.filter(({ name }) => name === 'SPACE_EMOJI_DELETE').length, 1)
  assert.equal(told.filter(({ name }) => name === 'SPACE_BUCKET_DELETE').length, 1)
})

/** Blocks the job of the deleted bucket at a message that it is about to publish. */
async function stopJob() {
  const { id } = await owner.client.messages.createWithFiles(space.general, {}, [note('shown')])
  const lock = await holdLock(server, sql`select from messages where id = ${id} for update`)
  assert.equal(await deleteIt(), 204)
  await lock.waitForBlocked(1)
  return { id, lock }
}

test('BUCKET-10: deleting a message while the job runs causes no deadlock', async () => {
  await placeFile(server, { tenantId: space.id, bucketId, purpose: 'icon', state: 'stored' })
  const { lock } = await stopJob()
  // Deleting the message locks the bucket after the message: the job must not hold the bucket first.
  const isFree = sql`select from storage_buckets where id = ${bucketId} for update nowait`
  await server.deps.database.execute(isFree).finally(lock.release)
  await isAtRest()
})

test('BUCKET-10: a message that claims an upload while the job runs is published again, too', async () => {
  const upload = { tenantId: space.id, bucketId, roomId: space.general, ownerId: owner.id }
  const { id: uploadId } = await placeFile(server, { ...upload, state: 'stored' })
  const { id, lock } = await stopJob()
  const sent = await owner.client.messages
    .create(space.general, { attachment_ids: [uploadId] })
    .finally(lock.release)
  await isAtRest()
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const told = journal
    .filter(({ name }) => name === 'MESSAGE_UPDATE')
    .map(({ data }) => Reflect.get(Object(data), 'id'))
  assert.deepEqual(told.toSorted(), [id, sent.id].toSorted())
})
