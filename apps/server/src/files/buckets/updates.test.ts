import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Message } from '@foyer/protocol/messages'
import { uploadFile } from '@foyer/sdk/uploads'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let s3: FakeS3
let other: FakeS3
let owner: Person
let space: TestSpace
let bucket: StorageBucket
let path: string

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  owner = await createPerson(server, 'owner')
})
after(() => server.close())
beforeEach(async () => {
  s3 = await startFakeS3()
  other = await startFakeS3()
  s3.allowedOrigin = server.url
  other.allowedOrigin = server.url
  space = await makeSpace(owner)
  bucket = await owner.client.buckets.create(space.id, bucketBody(s3, { max_bytes: 10_000 }))
  path = `/api/spaces/${space.id}/buckets/${bucket.id}`
  s3.requests.length = 0
})
afterEach(async () => {
  await s3.close()
  await other.close()
})

const update = (body: object) => owner.call('PATCH', path, body)
const published = () => listJournal(server, topicOf.space(space.id))
const send = (text: string) =>
  owner.client.messages.createWithFiles(space.general, { content: 'a file' }, [note(text)])
const listed = async () => (await owner.client.buckets.list(space.id))[0]
/** Returns the address of the message's file. */
const addressOf = ({ attachments: [file] }: Message) => owner.client.addressOf(file?.url ?? '')
/** Returns another endpoint of the same storage. */
const moved = () => bucketBody(other).endpoint

test('BUCKET-6: omitted fields stay', async () => {
  const limits = { max_bytes: 5000, upload_limit_bytes: 100 }
  const answer = await update({ name: ' New ', ...limits, unknown: 1 })
  const after = await listed()
  assert.deepEqual(answer.body, after)
  assert.deepEqual(after, { ...bucket, name: 'New', ...limits, updated_at: after?.updated_at })
  assert.ok(Date.parse(after?.updated_at ?? '') >= Date.parse(bucket.updated_at))
  assert.deepEqual((await owner.call('PUT', path, { max_bytes: null })).body, await listed())
  const cleared = await listed()
  assert.deepEqual([cleared?.max_bytes, cleared?.upload_limit_bytes, cleared?.name], [null, 100, 'New'])
})

test('BUCKET-6: an update without effect publishes nothing', async () => {
  const before = await published()
  const { secret_access_key: _secret, ...same } = bucketBody(s3, { max_bytes: 10_000 })
  for (const body of [{}, { name: bucket.name }, same])
    assert.deepEqual(await update(body), { status: 200, code: null, body: bucket })
  assert.deepEqual(await published(), before)
})

test('BUCKET-3: the bucket is tested at each change, even of its name alone', async () => {
  const before = await listed()
  s3.secretAccessKey = 'rotated'
  const answers = await Promise.all([{ name: 'New' }, {}, { max_bytes: 5 }].map(update))
  for (const { status, body: answer } of answers) {
    assert.equal(status, 400)
    assert.match(JSON.stringify(answer), /"error":"invalid storage configuration: /)
  }
  assert.deepEqual(await listed(), before)
})

test('BUCKET-6: an omitted secret keeps working, and a new one must work', async () => {
  await update({ use_path_style: true, access_key_id: bucket.access_key_id, name: 'Same' })
  assert.equal(await codeOf(update({ secret_access_key: 'wrong' })), '400 invalid_storage')
  await send('with the old secret')
  s3.secretAccessKey = 'rotated'
  await assert.rejects(send('not any more'))
  assert.equal(await codeOf(update({ secret_access_key: 'rotated' })), 200)
  await send('with the new secret')
  assert.equal(s3.objects.size, 2)
})

test('BUCKET-3: a change of how a bucket is reached is tested, and refused if it fails', async () => {
  const before = { bucket: await listed(), told: await published() }
  const wrong = [
    { endpoint: 'http://127.0.0.1:1' },
    { region: 'us-east-1' },
    { region: null },
    { bucket_name: 'another' },
    { access_key_id: 'another' },
    { use_path_style: false },
  ]
  const refuse = async (body: object) => {
    const { status, code, body: answer } = await update({ name: 'Never', ...body })
    assert.deepEqual([status, code], [400, 'invalid_storage'], JSON.stringify(body))
    assert.match(JSON.stringify(answer), /^\{"error":"invalid storage configuration: /)
  }
  // At once, because each refusal takes a second.
  await Promise.all(wrong.map(refuse))
  assert.deepEqual({ bucket: await listed(), told: await published() }, before)
})

test('BUCKET-7: an empty bucket can move anywhere', async () => {
  assert.equal(await codeOf(update({ endpoint: moved() })), 200)
  await send('over there')
  assert.deepEqual([s3.objects.size, other.objects.size], [0, 1])
})

test('BUCKET-7: a bucket with files can only move to where they are', async () => {
  const first = await send('one')
  const last = await send('two')
  assert.equal(await codeOf(update({ endpoint: moved() })), '400 invalid_storage')
  const [one, two] = [...s3.objects]
  assert.ok(one !== undefined && two !== undefined)
  other.objects.set(...one)
  assert.match(
    JSON.stringify((await update({ endpoint: moved() })).body),
    /files of the bucket cannot be found with these settings/,
  )
  other.objects.set(two[0], { ...two[1], bytes: Buffer.from('c') })
  assert.equal(await codeOf(update({ endpoint: moved() })), '400 invalid_storage')
  other.objects.set(...two)
  assert.equal(await codeOf(update({ endpoint: moved() })), 200)
  for (const message of [first, last]) {
    const response = await fetch(`${addressOf(message)}&stream=1`)
    assert.deepEqual([response.status, await response.text()], [200, message === first ? 'one' : 'two'])
  }
})

test('BUCKET-7: the bucket cannot move while an upload to it is under way', async () => {
  const body = { filename: 'a.txt', size_bytes: 3, content_type: 'text/plain' }
  const { attachment_id } = await owner.client.attachments.create(space.general, body)
  const refused = await update({ endpoint: moved() })
  assert.equal(refused.code, 'invalid_storage')
  assert.match(JSON.stringify(refused.body), /uploads to the bucket are under way/)
  assert.equal(await codeOf(update({ bucket_name: 'b' })), '400 invalid_storage')
  s3.secretAccessKey = 'rotated'
  assert.equal(await codeOf(update({ secret_access_key: 'rotated' })), 200)
  await server.deps.database.execute(sql`
    update attachments set state = 'removed' where tenant_id = ${space.id} and id = ${attachment_id}`)
  other.secretAccessKey = 'rotated'
  assert.equal(await codeOf(update({ endpoint: moved() })), 200)
})

test('BUCKET-7: an upload that ends during the test of a move is checked, too', async () => {
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const relocated = update({ endpoint: moved() })
  await lock.waitForBlocked(1)
  await send('in the old place')
  await lock.release()
  const { code, body } = await relocated
  assert.equal(code, 'invalid_storage', JSON.stringify(body))
  assert.equal((await listed())?.endpoint, bucket.endpoint)
})

test('BUCKET-7: a file stored while another key is tested causes no second test', async () => {
  await send('before')
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const tried = () => s3.requests.filter((request) => request.startsWith('OPTIONS')).length
  const before = tried()
  const rekeyed = codeOf(update({ secret_access_key: s3.secretAccessKey }))
  await lock.waitForBlocked(1)
  await send('meanwhile')
  await lock.release()
  assert.deepEqual([await rekeyed, tried() - before], [200, 1])
})

test('BUCKET-3: two changes tested separately are tested together', async () => {
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const renamed = update({ name: 'Renamed' })
  await lock.waitForBlocked(1)
  const relocated = update({ endpoint: moved() })
  await lock.waitForBlocked(2)
  s3.secretAccessKey = 'rotated'
  const rekeyed = update({ secret_access_key: 'rotated' })
  await lock.waitForBlocked(3)
  await lock.release()
  const codes = await Promise.all([renamed, relocated, rekeyed].map(codeOf))
  // The other storage still has the old key, so the later of the two changes fails with the first one's.
  assert.deepEqual(codes.toSorted(), [200, 200, '400 invalid_storage'])
  const now = await listed()
  assert.equal(now?.name, 'Renamed')
})

test('BUCKET-7: limits below the used space keep the files, and accept no new ones', async () => {
  const sent = await send('0123456789')
  await update({ max_bytes: 5, upload_limit_bytes: 3 })
  assert.equal((await listed())?.used_bytes, 10)
  await assert.rejects(send('1234'), { status: 413 })
  await assert.rejects(send('1'), { status: 413 })
  assert.equal((await fetch(addressOf(sent), { redirect: 'manual' })).status, 307)
  await update({ max_bytes: 11 })
  await send('1')
  await assert.rejects(uploadFile(owner.client, space.general, note('1')), { status: 413 })
})
