import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { newKey } from '#test/object-storage/objects.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let fake: FakeS3
let server: TestServer
before(async () => {
  fake = await startFakeS3()
  server = await startTestServer({ s3: fake.settings() })
})
after(async () => {
  await server.close()
  await fake.close()
})

test('STORE-19: with S3_ENDPOINT the files are in that bucket, even if no other private host is allowed', async () => {
  const ada = await createPerson(server, 'ada')
  const { general } = await makeSpace(ada)
  const bytes = Buffer.from('what the bucket has')
  const announced = { filename: 'note.bin', content_type: 'application/x-note', size_bytes: bytes.length }
  const { attachment_id, upload } = await ada.client.attachments.create(general, announced)
  assert.ok(upload.url.startsWith(`${fake.settings().endpoint}/`))
  const { method, headers } = upload
  assert.equal((await fetch(upload.url, { method, headers, body: bytes })).status, 200)
  const message = await ada.client.messages.create(general, { attachment_ids: [attachment_id] })
  const download = await server.fetch(message.attachments[0]?.url ?? '')
  assert.ok(download.redirected && download.url.startsWith(fake.settings().endpoint))
  assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes))
  assert.equal(fake.objects.size, 1)
  assert.equal((await server.fetch(`/storage/${newKey()}`)).headers.get('x-error-code'), 'not_found')
})
