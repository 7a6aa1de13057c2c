import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import type { Upload } from '@foyer/protocol/attachments'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles } from '#test/file-consistency.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { until } from '#test/until.ts'
import { sweepFiles } from './sweeper.ts'

const MIB = 2 ** 20
const text = Buffer.from('written past the server')

let server: TestServer
let s3: FakeS3
let owner: Person
let space: TestSpace

before(async () => {
  // No jobs: the minutely sweep would delete what these tests sweep themselves.
  server = await startTestServer({ services: ['api'], allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  owner = await createPerson(server, 'owner')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  s3.heal()
  space = await makeSpace(owner)
})

const sweep = () => sweepFiles(server.deps, new AbortController().signal)
const reserve = (size_bytes = text.length) =>
  owner.client.attachments.create(space.general, {
    filename: 'a.bin',
    size_bytes,
    content_type: 'application/x-raw',
  })
const heldBytes = async () => (await listHoldings(server, space.id)).usedBytes
const send = ({ attachment_id }: Upload) =>
  owner.client.messages.create(space.general, { content: '', attachment_ids: [attachment_id] })

/** Makes the reservation look `hours` old. */
async function age({ attachment_id: id }: Upload, hours: number): Promise<void> {
  await server.deps.database.execute(sql`
    update attachments set created_at = created_at - make_interval(hours => ${hours}),
      sweep_at = sweep_at - make_interval(hours => ${hours}),
      incoming_until = incoming_until - make_interval(hours => ${hours})
    where id = ${id}`)
}

/** Sends half of an upload's bytes through the server. */
async function begin(upload: Upload): Promise<ClientRequest> {
  const { url, method, headers } = upload.upload
  const sending = request(new URL(url, server.url), {
    method,
    headers: { ...headers, 'content-length': text.length },
  })
  sending.write(text.subarray(0, 5))
  await until(async () => (await hoursLeft(upload)) > 2, 'the server knows of the upload')
  return sending
}

async function hoursLeft({ attachment_id: id }: Upload): Promise<number> {
  const [row] = await server.deps.database.query<{ hours: number }>(sql`
    select extract(epoch from sweep_at - now())::float8 / 3600 as hours from attachments where id = ${id}`)
  return row?.hours ?? 0
}

test('FILE-24: an upload for which nothing arrived frees its space once its URL has expired', async () => {
  const upload = await reserve()
  await age(upload, 1)
  await sweep()
  assert.equal(await heldBytes(), text.length)
  await age(upload, 1)
  await sweep()
  assert.equal(await heldBytes(), 0)
  await assert.rejects(send(upload), { code: 'unknown_attachment' })
  await checkFiles(server)
})

test('FILE-24: an upload under way through the server keeps its space, however slow it is', async () => {
  const upload = await reserve()
  const sending = await begin(upload)
  await age(upload, 3)
  await sweep()
  assert.equal(await heldBytes(), text.length)
  sending.end(text.subarray(5))
  const [answer] = await once(sending, 'response')
  answer.resume()
  assert.equal(answer.statusCode, 200)
  await age(upload, 3)
  await sweep()
  assert.equal((await send(upload)).attachments[0]?.size_bytes, text.length)
})

test('FILE-24: an aborted upload frees its space as if it had never begun', async () => {
  const upload = await reserve()
  const sending = await begin(upload)
  sending.on('error', () => undefined).destroy()
  await until(async () => (await hoursLeft(upload)) < 2, 'the server knows of its end')
  await age(upload, 2)
  await sweep()
  assert.equal(await heldBytes(), 0)
})

test('FILE-24: a direct upload to a bucket keeps its space if it arrived, and otherwise for a time that depends on its size', async () => {
  await owner.client.buckets.create(space.id, bucketBody(s3))
  const [came, small, large] = [await reserve(), await reserve(), await reserve(1024 * MIB)]
  const { url, method, headers } = came.upload
  assert.equal((await fetch(url, { method, headers, body: text })).status, 200)
  for (const upload of [came, small, large]) await age(upload, 2)
  await sweep()
  assert.equal(await heldBytes(), text.length + 1024 * MIB)
  for (const upload of [came, large]) await age(upload, 2)
  await sweep()
  assert.equal(await heldBytes(), text.length)
  assert.equal((await send(came)).attachments[0]?.size_bytes, text.length)
})

test('FILE-24: a bucket that does not answer keeps the space reserved for a day, and delays no other', async () => {
  const elsewhere = await reserve()
  await owner.client.buckets.create(space.id, bucketBody(s3))
  const upload = await reserve(100)
  s3.fail({ status: 403, code: 'AccessDenied' })
  for (const old of [elsewhere, upload]) await age(old, 2)
  await sweep()
  assert.equal(await heldBytes(), 100)
  await age(upload, 22)
  await sweep()
  assert.equal(await heldBytes(), 0)
})
