import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { uploadFile } from '@foyer/sdk/uploads'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf, note, postForm } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { fileOf, formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const UPLOADS = 8
const BYTES = 1000
/** Space for five of them. */
const MAX_BYTES = 5 * BYTES + 999

let server: TestServer
let s3: FakeS3
let owner: Person
let space: TestSpace
let bucketId: string
const bucketIds: string[] = []

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
  const limits = { max_bytes: MAX_BYTES, upload_limit_bytes: 2 * BYTES }
  bucketId = (await owner.client.buckets.create(space.id, bucketBody(s3, limits))).id
  bucketIds.push(bucketId)
})

const usedBytes = async () => (await owner.client.buckets.list(space.id))[0]?.used_bytes
const file = (bytes = BYTES) => note('x'.repeat(bytes))
const send = (bytes?: number) => postForm(owner, space.general, formOf(['file', file(bytes)]))

/** Queues all of them at the bucket's lock, then releases it. */
async function atOnce<T>(work: () => Promise<T>): Promise<T[]> {
  const lock = await holdLock(server, sql`select id from storage_buckets where id = ${bucketId} for update`)
  const all = Promise.all(Array.from({ length: UPLOADS }, work))
  await lock.waitForBlocked(UPLOADS)
  await lock.release()
  return all
}

test('BUCKET-14: simultaneous messages do not exceed max_bytes together', async () => {
  const codes = await atOnce(() => codeOf(send()))
  assert.equal(codes.filter((code) => code === 200).length, 5)
  assert.deepEqual([...new Set(codes)].toSorted(), [200, '413 storage_full'])
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(space.id))
  assert.deepEqual([await usedBytes(), keys.length], [5 * BYTES, 5])
  assert.equal(await codeOf(send(999)), 200)
  assert.equal(await codeOf(send(1)), '413 storage_full')
  assert.equal(await usedBytes(), MAX_BYTES)
})

test('BUCKET-14: direct uploads count from their announcement, and do not exceed it either', async () => {
  const body = { filename: 'a.txt', size_bytes: BYTES, content_type: 'text/plain' }
  const path = `/api/rooms/${space.general}/attachments`
  const codes = await atOnce(() => codeOf(owner.call('POST', path, body)))
  assert.equal(codes.filter((code) => code === 200).length, 5)
  assert.equal(await usedBytes(), 5 * BYTES)
  assert.equal(await codeOf(send()), '413 storage_full')
})

test('BUCKET-14: emojis and messages do not exceed it together', async () => {
  const image = fileOf(Buffer.from(await (await png()).arrayBuffer()), 'tea.png', 'image/png')
  const { used } = await owner.client.emojis
    .create(space.id, { name: 'first', image })
    .then(async () => ({ used: (await usedBytes()) ?? 0 }))
  assert.ok(used > 0)
  assert.equal(await codeOf(send(2 * BYTES)), 200)
  assert.equal(await codeOf(send(2 * BYTES)), 200)
  await owner.client.buckets.update(space.id, bucketId, { max_bytes: 4 * BYTES + used })
  const path = `/api/spaces/${space.id}/emojis`
  assert.equal(
    await codeOf(owner.call('POST', path, formOf(['name', 'more'], ['image', image]))),
    '413 storage_full',
  )
  assert.equal(await codeOf(send(1)), '413 storage_full')
  const [emoji] = await owner.client.emojis.list(space.id)
  await owner.client.emojis.delete(space.id, emoji?.id ?? '')
  assert.equal(await usedBytes(), 4 * BYTES)
  assert.equal(await codeOf(send(1)), 200)
})

test('BUCKET-14: no upload exceeds upload_limit_bytes, however it is sent', async () => {
  assert.equal(await codeOf(send(2 * BYTES)), 200)
  assert.equal(await codeOf(send(2 * BYTES + 1)), '413 upload_too_large')
  const body = { filename: 'a.txt', size_bytes: 2 * BYTES + 1, content_type: 'text/plain' }
  const path = `/api/rooms/${space.general}/attachments`
  assert.equal(await codeOf(owner.call('POST', path, body)), '413 upload_too_large')
  await owner.client.buckets.update(space.id, bucketId, { upload_limit_bytes: null })
  assert.equal(await codeOf(send(2 * BYTES + 1)), 200)
})

test('BUCKET-14: the counted space is the used space, whatever happens to uploads', async () => {
  const { id } = await owner.client.messages.createWithFiles(space.general, {}, [file(), file()])
  const upload = await uploadFile(owner.client, space.general, file())
  assert.equal(await usedBytes(), 3 * BYTES)
  s3.fail({ status: 500, code: 'InternalError' })
  assert.equal(await codeOf(send()), '503 storage_unavailable')
  s3.fail({ status: 507, code: 'QuotaExceeded' })
  assert.equal(await codeOf(send()), '413 storage_full')
  s3.heal()
  const broken = fileOf('no picture', 'tea.png', 'image/png')
  const emoji = formOf(['name', 'broken'], ['image', broken])
  assert.equal(await codeOf(owner.call('POST', `/api/spaces/${space.id}/emojis`, emoji)), '400 invalid_image')
  assert.equal(await usedBytes(), 3 * BYTES)
  await owner.client.messages.delete(space.general, id)
  assert.equal(await usedBytes(), BYTES)
  await owner.client.messages.create(space.general, { attachment_ids: [upload] })
  assert.equal(await usedBytes(), BYTES)
  const list = () => new Map([...s3.objects].map(([key, { bytes }]) => [key, bytes.length]))
  await checkFiles(server, { buckets: Object.fromEntries(bucketIds.map((bucket) => [bucket, list])) })
})
