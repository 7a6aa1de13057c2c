import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { uploadFile } from '@foyer/sdk/uploads'
import { allowOrigin, makeBucket, whyNoS3 } from '#test/object-storage/real-s3.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1', '*.localhost'] })
  owner = await createPerson(server, 'owner')
})
after(() => server.close())

test('BUCKET-16: a bucket of a real S3 server works, with direct uploads once its CORS rules allow the page', {
  skip: whyNoS3(),
}, async () => {
  const settings = await makeBucket()
  const { id, general } = await makeSpace(owner)
  const body = {
    name: 'Real',
    endpoint: settings.endpoint,
    region: settings.region,
    bucket_name: settings.bucketName,
    access_key_id: settings.accessKeyId,
    secret_access_key: settings.secretAccessKey,
    use_path_style: settings.usePathStyle,
  }
  const path = `/api/spaces/${id}/buckets`
  const bucket = await owner.client.buckets.create(id, body)
  assert.equal(bucket.direct_upload, false)
  const relayed = await uploadFile(owner.client, general, note('through the server'))
  await owner.client.messages.create(general, { content: '', attachment_ids: [relayed] })
  await allowOrigin(settings.bucketName, server.url)
  assert.equal((await owner.client.buckets.update(id, bucket.id, {})).direct_upload, true)
  for (const change of [{ secret_access_key: 'wrong' }, { access_key_id: 'wrong' }, { bucket_name: 'wrong' }])
    assert.equal(await codeOf(owner.call('PATCH', `${path}/${bucket.id}`, change)), '400 invalid_storage')

  const emoji = await owner.client.emojis.create(id, { name: 'tea', image: await png() })
  const upload = await uploadFile(owner.client, general, note('past the server'))
  const sent = await owner.client.messages.createWithFiles(general, { attachment_ids: [upload] }, [
    note('by it'),
  ])
  const texts = sent.attachments.map(async ({ url = '' }) =>
    (await fetch(owner.client.addressOf(url))).text(),
  )
  assert.deepEqual(await Promise.all(texts), ['by it', 'past the server'])
  const image = await server.fetch(`/attachments/${emoji.attachment_id}`)
  assert.equal(image.headers.get('content-type'), 'image/png')
  const used = (await owner.client.buckets.list(id))[0]?.used_bytes ?? 0
  assert.ok(used > 'past the serverby it'.length)
  assert.equal(await codeOf(owner.call('DELETE', `${path}/${bucket.id}`)), 204)
})
