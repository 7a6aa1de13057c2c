import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import type { CreateUploadBody, Upload } from '@foyer/protocol/attachments'
import { uploadFile } from '@foyer/sdk/uploads'
import { newId } from '#src/kernel/ids.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const GIB = 1024 ** 3
const text = Buffer.from('through the server')
const body: CreateUploadBody = { filename: 'notes.txt', size_bytes: text.length, content_type: 'text/plain' }

let server: TestServer
let s3: FakeS3
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  owner = await createPerson(server, 'owner')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  s3.heal()
  s3.objects.clear()
  space = await makeSpace(owner)
  await owner.client.buckets.create(space.id, bucketBody(s3))
})

const create = (changes = {}) => owner.client.attachments.create(space.general, { ...body, ...changes })
const put = ({ upload }: Upload, { bytes = text, url = upload.url, headers = upload.headers } = {}) =>
  server.fetch(url, { method: upload.method, headers, body: bytes })
const statusOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer
  return headers.has('x-error-code') ? `${status} ${headers.get('x-error-code')}` : status
}

test('FILE-22: uploads that browsers cannot send to the bucket go through the server, and downloads come from the bucket', async () => {
  const id = await uploadFile(owner.client, space.general, note('through the server'))
  const message = await owner.client.messages.create(space.general, { content: '', attachment_ids: [id] })
  assert.equal(s3.objects.get(`${space.id}/${id}`)?.bytes.toString(), 'through the server')
  assert.equal(s3.objects.size, 1)
  const address = owner.client.addressOf(message.attachments[0]?.url ?? '')
  const download = await fetch(address, { redirect: 'manual' })
  assert.ok(download.headers.get('location')?.startsWith(s3.settings().endpoint))
  assert.equal(await (await fetch(address)).text(), 'through the server')
})

test('FILE-22: the URL accepts exactly what was announced', async () => {
  const upload = await create()
  const { url } = upload.upload
  assert.match(url, /^\/attachments\/incoming\//)
  assert.equal(
    await statusOf(put(upload, { url: url.replace('size=18', 'size=19') })),
    '403 invalid_signature',
  )
  assert.equal(await statusOf(put(upload, { url: url.replace(space.id, newId()) })), '403 invalid_signature')
  assert.equal(
    await statusOf(put(upload, { url: url.replace('/attachments/incoming/', '/storage/') })),
    '403 invalid_signature',
  )
  const another = { headers: { 'content-type': 'text/html' } }
  assert.equal(await statusOf(put(upload, another)), '403 invalid_signature')
  const longer = { bytes: Buffer.from('through the server, and more') }
  assert.equal(await statusOf(put(upload, longer)), '400 upload_incomplete')
  assert.equal(s3.objects.size, 0)
  assert.equal(await statusOf(put(upload)), 200)
  assert.equal(s3.objects.size, 1)
})

test('FILE-22: cancelled and aborted uploads leave nothing', async () => {
  const cancelled = await create()
  await owner.client.attachments.cancel(space.general, cancelled.attachment_id)
  assert.equal(await statusOf(put(cancelled)), '404 unknown_attachment')
  const { upload } = await create()
  await breakOff(upload)
  assert.equal(s3.objects.size, 0)
  assert.equal(server.deps.formSpace.used.forms, 0)
})

test('FILE-22: a failing bucket is 503, and the upload can be repeated', async () => {
  const upload = await create()
  s3.fail({ status: 500, code: 'InternalError' })
  assert.equal(await statusOf(put(upload)), '503 storage_unavailable')
  s3.heal()
  assert.equal(await statusOf(put(upload)), 200)
})

test('FILE-22: a file over 1 GiB cannot go through the server, and takes no space', async () => {
  const path = `/api/rooms/${space.general}/attachments`
  const large = owner.call('POST', path, { ...body, size_bytes: GIB + 1 })
  assert.equal(await codeOf(large), '413 upload_too_large')
  assert.equal((await owner.client.buckets.list(space.id))[0]?.used_bytes, 0)
  assert.equal((await owner.call('POST', path, { ...body, size_bytes: GIB })).status, 200)
})

/** Sends half of an upload, and waits until the server has given it up. */
async function breakOff(upload: Upload['upload']): Promise<void> {
  const sent = request(new URL(upload.url, server.url), {
    method: upload.method,
    headers: { ...upload.headers, 'content-length': text.length },
  })
  sent.on('error', () => undefined)
  sent.write(text.subarray(0, 5))
  while (server.deps.formSpace.used.forms === 0) await new Promise(setImmediate)
  sent.destroy()
  while (server.deps.formSpace.used.forms > 0) await new Promise(setImmediate)
}
