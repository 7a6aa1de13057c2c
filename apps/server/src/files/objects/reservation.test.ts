import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let s3: FakeS3
let owner: Person

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

const file = { filename: 'notes.txt', size_bytes: 5, content_type: 'text/plain' }

test('FILE-8: an upload that begins while its bucket moves goes to the bucket’s new location', async () => {
  const space = await makeSpace(owner)
  const bucket = await owner.client.buckets.create(space.id, bucketBody(s3))
  const moved = sql`
    update storage_buckets set endpoint = 'http://127.0.0.1:9', updated_at = now()
    where tenant_id = ${space.id} and id = ${bucket.id}`
  const lock = await holdLock(server, moved)
  const beginning = owner.client.attachments.create(space.general, file)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.match((await beginning).upload.url, /^http:\/\/127\.0\.0\.1:9\//)
})

test('FILE-8: an upload that begins while its bucket is deleted goes to the other storage', async () => {
  const space = await makeSpace(owner)
  const bucket = await owner.client.buckets.create(space.id, bucketBody(s3))
  const deleted = sql`
    update storage_buckets set deleted_at = now(), active = false
    where tenant_id = ${space.id} and id = ${bucket.id}`
  const lock = await holdLock(server, deleted)
  const beginning = owner.client.attachments.create(space.general, file)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.match((await beginning).upload.url, /^\/storage\/incoming\//)
})

test('FILE-14: a picture that arrives after its account was deleted is refused', {
  timeout: 20_000,
}, async () => {
  await owner.client.users.updateMe({ avatar: await png() })
  const closed = sql`update storage_buckets set deleted_at = now() where tenant_id = ${owner.id}`
  const lock = await holdLock(server, closed)
  const uploading = codeOf(owner.call('PATCH', '/api/users/@me', formOf(['avatar', await png()])))
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal(await uploading, '503 unavailable')
})
