import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { startTarget } from '#test/outside/http-target.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { PROBE_TIMES, type ProbeTimes } from './probe.ts'

const { ManageSpaceBuckets } = Permission
const UNREACHED = 'invalid storage configuration: the endpoint could not be reached'

const probeTimes: ProbeTimes = { timeoutMs: 3000, minRefusalMs: 100 }

let server: TestServer
let s3: FakeS3
let owner: Person
let member: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] }, { probeTimes })
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
})
after(() => server.close())

beforeEach(async () => {
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  space = await makeSpace(owner, [member])
  path = `/api/spaces/${space.id}/buckets`
})

afterEach(() => s3.close())

const published = () => listJournal(server, topicOf.space(space.id))

/** Checks that the bucket is refused for this problem, and that nothing is stored or published. */
async function isRefused(body: object, problem: RegExp): Promise<void> {
  const before = await published()
  const answer = await owner.call('POST', path, body)
  assert.deepEqual([answer.status, answer.code], [400, 'invalid_storage'], JSON.stringify(answer.body))
  const { error } = Object(answer.body)
  assert.ok(String(error).startsWith('invalid storage configuration: '))
  assert.match(error, problem)
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
  assert.deepEqual(await published(), before)
}

test('BUCKET-3: an object is stored, read and deleted, and a preflight is sent', async () => {
  await owner.client.buckets.create(space.id, bucketBody(s3))
  const [put = '', get = '', removed = '', preflight = '', ...more] = s3.requests
  const [, key = ''] = /^PUT \/a-bucket\/(\S+)$/.exec(put) ?? []
  assert.match(key, new RegExp(`^${space.id}/[0-9a-f-]{36}$`))
  assert.deepEqual([get, removed], [`GET /a-bucket/${key}`, `DELETE /a-bucket/${key}`])
  assert.match(preflight, new RegExp(`^OPTIONS /a-bucket/${key}\\?`))
  assert.deepEqual(more, [])
  assert.equal(s3.objects.size, 0)
})

test('BUCKET-3: wrong credentials, a wrong bucket and a wrong region are refused', async () => {
  await isRefused(bucketBody(s3, { secret_access_key: 'wrong' }), /403 SignatureDoesNotMatch/)
  await isRefused(bucketBody(s3, { access_key_id: 'wrong' }), /403 InvalidAccessKeyId/)
  await isRefused(bucketBody(s3, { bucket_name: 'another' }), /404 NoSuchBucket/)
  await isRefused(bucketBody(s3, { region: 'us-east-1' }), /403/)
  assert.equal(s3.objects.size, 0)
})

test('BUCKET-3: a failing storage is refused', async () => {
  s3.fail({ status: 500, code: 'InternalError' })
  await isRefused(bucketBody(s3), /500 InternalError/)
  s3.fail('drop')
  await isRefused(bucketBody(s3), /could not be reached/)
  await isRefused(bucketBody(s3, { endpoint: 'http://127.0.0.1:1' }), new RegExp(`^${UNREACHED}$`))
  s3.heal()
  await owner.client.buckets.create(space.id, bucketBody(s3))
})

test('BUCKET-3: a storage that never answers is given up in time, and delays nobody else', async () => {
  s3.fail('silence')
  const began = Date.now()
  let isAnswered = false
  const refused = owner.call('POST', path, bucketBody(s3)).finally(() => {
    isAnswered = true
  })
  await owner.client.rooms.create(space.id, { name: 'meanwhile', type: 1 })
  assert.equal(isAnswered, false)
  const { code, body } = await refused
  const waited = Date.now() - began
  assert.ok(waited >= 2990 && waited < 30_000, `${waited} ms`)
  const error = 'invalid storage configuration: the bucket did not answer in time'
  assert.deepEqual([code, body], ['invalid_storage', { error }])
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
})

test('BUCKET-3: the usual test of a storage takes ten seconds at most', () => {
  assert.deepEqual(PROBE_TIMES, { timeoutMs: 10_000, minRefusalMs: 1500 })
})

test('BUCKET-4: a refusal takes its time, however soon the reason is known', async () => {
  const slow = await startTestServer({}, { probeTimes: { timeoutMs: 10_000, minRefusalMs: 700 } })
  const other = await createPerson(slow, 'other')
  const { id } = await makeSpace(other)
  const began = performance.now()
  const endpoint = 'http://127.0.0.1:1'
  const answer = await other.call('POST', `/api/spaces/${id}/buckets`, bucketBody(s3, { endpoint }))
  const waited = performance.now() - began
  await slow.close()
  assert.equal(answer.code, 'invalid_storage')
  assert.ok(waited >= 699, `${waited} ms`)
})

test('BUCKET-3: a storage that returns different data is refused', async () => {
  const stored = new Map<string, string>()
  const forgetful: RequestListener = (request, response) => {
    if (request.method === 'GET')
      return void response.end('not what was stored, and more of it than anybody asked for')
    stored.set(request.url ?? '', request.method ?? '')
    request.resume()
    request.on('end', () => response.end())
  }
  const target = await startTarget(forgetful)
  await isRefused(bucketBody(s3, { endpoint: `http://127.0.0.1:${target.port}` }), /does not give back/)
  await target.close()
  assert.deepEqual([...stored.values()], ['DELETE'])
})

test('BUCKET-16: a storage that refuses uploads from the page is accepted, with direct_upload false', async () => {
  s3.allowedOrigin = undefined
  const { id, direct_upload } = await owner.client.buckets.create(space.id, bucketBody(s3))
  assert.equal(direct_upload, false)
  assert.deepEqual(await owner.client.buckets.test(space.id, id), { direct_upload: false })
  s3.allowedOrigin = 'https://another.example'
  assert.equal((await owner.client.buckets.update(space.id, id, {})).direct_upload, false)
  s3.allowedOrigin = server.url
  assert.deepEqual(await owner.client.buckets.test(space.id, id), { direct_upload: true })
  assert.equal((await owner.client.buckets.list(space.id))[0]?.direct_upload, false)
  const before = await published()
  const changed = await owner.client.buckets.update(space.id, id, {})
  assert.equal(changed.direct_upload, true)
  const events = (await published()).slice(before.length)
  assert.deepEqual(
    events.map(({ name, data }) => [name, data]),
    [['SPACE_BUCKET_UPDATE', changed]],
  )
})

test('BUCKET-16: a storage that does not answer the preflight is accepted', async () => {
  s3.ignoresPreflights = true
  const { direct_upload } = await owner.client.buckets.create(space.id, bucketBody(s3))
  assert.equal(direct_upload, false)
})

test('BUCKET-16: the page is the one at PUBLIC_URL, else the one that sent the request', async () => {
  const signedIn = await server.fetch('/api/auth/signin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'paged', email: 'paged@example.org', password: TEST_PASSWORD }),
  })
  const { access_token, session_token } = Object(await signedIn.json())
  const post = async (url: string, body: object) => {
    const credentials = { authorization: `Bearer ${access_token}`, 'x-session-token': session_token }
    const headers = { ...credentials, 'content-type': 'application/json', origin: 'https://page.example' }
    const response = await server.fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: Object(await response.json()) }
  }
  const { body } = await post('/api/spaces', { name: 'Tea' })
  const buckets = `/api/spaces/${body.space.id}/buckets`
  assert.equal((await post(buckets, bucketBody(s3))).body.direct_upload, false)
  s3.allowedOrigin = 'https://page.example'
  assert.equal((await post(buckets, bucketBody(s3))).body.direct_upload, true)
})

test('BUCKET-16: the page at PUBLIC_URL counts, wherever the request comes from', async () => {
  const publicUrl = 'https://chat.example/foyer'
  const published = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], publicUrl })
  const other = await createPerson(published, 'other')
  const { id } = await makeSpace(other)
  s3.allowedOrigin = 'https://chat.example'
  const answer = await other.call('POST', `/api/spaces/${id}/buckets`, bucketBody(s3))
  await published.close()
  assert.equal(Object(answer.body).direct_upload, true, JSON.stringify(answer.body))
})

test('BUCKET-1: a user who loses the permission during the test adds nothing', async () => {
  const roleId = await insertRole(server, space.id, { permissions: ManageSpaceBuckets, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: member.id, roleId })
  const lock = await holdLock(
    server,
    sql`
      with held as (select id from spaces where id = ${space.id} for update)
      update roles set permissions = 0 from held where space_id = held.id and roles.id = ${roleId}`,
  )
  const created = member.call('POST', path, bucketBody(s3))
  await lock.waitForBlocked(1)
  assert.equal(s3.requests.length, 4)
  await lock.release()
  assert.equal((await created).code, 'missing_permission')
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
})

test('BUCKET-4: addresses that the guard refuses are not requested', async () => {
  const closed = await startTestServer({}, { probeTimes })
  const other = await createPerson(closed, 'other')
  const { id } = await makeSpace(other)
  const { port } = new URL(s3.settings().endpoint)
  for (const host of [
    // An unknown host gets the same answer as the others.
    'no-such-host.invalid',
    '127.0.0.1',
    'localhost',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
    '2130706433',
  ]) {
    const endpoint = `http://${host}:${port}`
    const answer = await other.call('POST', `/api/spaces/${id}/buckets`, bucketBody(s3, { endpoint }))
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_storage'], host)
    assert.deepEqual(answer.body, { error: UNREACHED }, host)
  }
  await closed.close()
  assert.deepEqual(s3.requests, [])
})

test('BUCKET-4: a redirect is not followed', async () => {
  const redirecting = await startTarget((_request, response) => {
    response.writeHead(307, { location: `${s3.settings().endpoint}/a-bucket/x` }).end()
  })
  await isRefused(bucketBody(s3, { endpoint: `http://127.0.0.1:${redirecting.port}` }), /307/)
  await redirecting.close()
  assert.deepEqual(s3.requests, [])
})
