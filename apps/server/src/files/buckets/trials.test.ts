import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let s3: FakeS3
let owner: Person
let space: TestSpace

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
})

const newTest = (changes = {}) =>
  owner.call('POST', `/api/spaces/${space.id}/buckets/test`, bucketBody(s3, changes))
const published = async () => (await listJournal(server, topicOf.space(space.id))).length

test('BUCKET-15: a new bucket can be tested, and nothing of it is kept', async () => {
  const before = await published()
  assert.deepEqual(await newTest(), { status: 200, code: null, body: { direct_upload: true } })
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
  assert.equal(s3.objects.size, 0)
  assert.equal(await published(), before)
  const wrong = await newTest({ secret_access_key: 'another' })
  assert.deepEqual([wrong.status, wrong.code], [400, 'invalid_storage'])
  assert.match(JSON.stringify(wrong.body), /"invalid storage configuration: /)
})

test('BUCKET-15: a bucket can be tested as it is, and with changes', async () => {
  const bucket = await owner.client.buckets.create(space.id, bucketBody(s3))
  await owner.client.buckets.test(space.id, bucket.id)
  await assert.rejects(
    owner.client.buckets.test(space.id, bucket.id, { secret_access_key: 'another' }),
    /^ApiError: invalid storage configuration: /,
  )
  await owner.client.buckets.test(space.id, bucket.id)
  assert.deepEqual(await owner.client.buckets.list(space.id), [bucket])
  const included = await owner.client.buckets.createIncluded(space.id)
  await owner.client.buckets.test(space.id, included.id)
})

test('BUCKET-15: only people who manage the buckets of the space may test them', async () => {
  const bucket = await owner.client.buckets.create(space.id, bucketBody(s3))
  const [member, stranger] = await Promise.all([
    createPerson(server, 'member'),
    createPerson(server, 'stranger'),
  ])
  await join(member, owner, space)
  const bot = await createBot(server, 'bot')
  const requests = s3.requests.length
  for (const path of ['test', `${bucket.id}/test`]) {
    const where = `/api/spaces/${space.id}/buckets/${path}`
    assert.equal((await member.call('POST', where, bucketBody(s3))).code, 'missing_permission')
    assert.equal((await stranger.call('POST', where, bucketBody(s3))).code, 'not_a_member')
    assert.equal((await bot.call('POST', where, bucketBody(s3))).code, 'bots_not_allowed')
  }
  const other = await makeSpace(owner)
  const foreign = await owner.call('POST', `/api/spaces/${other.id}/buckets/${bucket.id}/test`)
  assert.equal(foreign.code, 'unknown_bucket')
  assert.equal(s3.requests.length, requests)
})
