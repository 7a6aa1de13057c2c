import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { StorageBucket } from '@foyer/protocol/buckets'
import { MAX_BUCKETS } from '@foyer/protocol/limits'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageSpaceBuckets } = Permission

let server: TestServer
let s3: FakeS3
let owner: Person
let member: Person
let stranger: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  stranger = await createPerson(server, 'stranger')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  space = await makeSpace(owner, [member])
  path = `/api/spaces/${space.id}/buckets`
})

const create = (changes = {}) => owner.client.buckets.create(space.id, bucketBody(s3, changes))
const list = () => owner.client.buckets.list(space.id)
const published = () => listJournal(server, topicOf.space(space.id))

async function allow(person: Person, permissions: number, position = 1): Promise<string> {
  const roleId = await insertRole(server, space.id, { permissions, position })
  await assignRole(server, { spaceId: space.id, userId: person.id, roleId })
  return roleId
}

test('BUCKET-5: a space has no bucket at first, and the first one is active', async () => {
  assert.deepEqual(await list(), [])
  const first = await create()
  const { id, created_at, updated_at, ...rest } = first
  const { secret_access_key: _secret, ...given } = bucketBody(s3)
  const defaults = { space_id: space.id, max_bytes: null, upload_limit_bytes: null, used_bytes: 0 }
  assert.deepEqual(rest, { ...given, ...defaults, active: true, direct_upload: true, included: false })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(created_at, updated_at)
  const second = await create({ name: 'Second', max_bytes: 10_000, upload_limit_bytes: 1000 })
  assert.deepEqual([second.active, second.max_bytes, second.upload_limit_bytes], [false, 10_000, 1000])
  assert.deepEqual(await list(), [first, second])
})

test('BUCKET-5: activating a bucket deactivates the other, and both events are published', async () => {
  const first = await create()
  const second = await create()
  const before = await published()
  await owner.client.buckets.activate(space.id, second.id)
  const [one, two] = await list()
  assert.deepEqual([one?.active, two?.active], [false, true])
  const events = [one, two].map((data) => ({
    name: 'SPACE_BUCKET_UPDATE',
    audience: ManageSpaceBuckets,
    data,
  }))
  assert.deepEqual((await published()).slice(before.length), events)
  await owner.client.buckets.activate(space.id, second.id)
  await owner.client.buckets.deactivate(space.id, first.id)
  assert.equal((await published()).length, before.length + 2)
  await owner.client.buckets.deactivate(space.id, second.id)
  assert.deepEqual(
    (await list()).filter(({ active }) => active),
    [],
  )
  assert.equal((await create()).active, false)
})

test('BUCKET-5: one of two simultaneously activated buckets is active', async () => {
  const buckets = [await create(), await create(), await create()]
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const switched = Promise.all(buckets.map(({ id }) => owner.call('POST', `${path}/${id}/activate`)))
  await lock.waitForBlocked(3)
  await lock.release()
  assert.deepEqual(
    (await switched).map(({ status }) => status),
    [204, 204, 204],
  )
  assert.equal((await list()).filter(({ active }) => active).length, 1)
})

test('BUCKET-1: without ManageSpaceBuckets every request is refused, whatever its body', async () => {
  const { id } = await create()
  await allow(member, ALL_PERMISSIONS & ~ManageSpaceBuckets & ~Permission.Administrator)
  const before = { buckets: await list(), told: await published() }
  const calls = [
    ['GET', path],
    ['POST', path, 'no JSON'],
    ['POST', `${path}/included`],
    ...['PATCH', 'PUT'].map((method) => [method, `${path}/${id}`, 'no JSON'] as const),
    ['DELETE', `${path}/${id}?discard_files=true`],
    ...['POST', 'PUT'].map((method) => [method, `${path}/${id}/activate`] as const),
    ...['POST', 'PUT'].map((method) => [method, `${path}/${newId()}/deactivate`] as const),
  ] as const
  for (const [method, url, body] of calls) {
    assert.equal((await stranger.call(method, url, body)).code, 'not_a_member', `${method} ${url}`)
    assert.equal((await member.call(method, url, body)).code, 'missing_permission', `${method} ${url}`)
  }
  assert.deepEqual({ buckets: await list(), told: await published() }, before)
  await allow(member, ManageSpaceBuckets, 2)
  assert.deepEqual(await member.client.buckets.list(space.id), before.buckets)
  assert.equal((await member.call('PUT', `${path}/${id}`, { name: 'Theirs' })).status, 200)
  assert.equal((await member.call('PUT', `${path}/${id}/deactivate`)).status, 204)
  assert.equal((await member.call('PUT', `${path}/${id}/activate`)).status, 204)
  assert.equal((await member.call('DELETE', `${path}/${id}`)).status, 204)
})

test('BUCKET-1: a bot is refused, whatever its permissions', async () => {
  const bot = await createBot(server, `bot${newId().slice(-6)}`)
  for (const method of ['GET', 'POST']) {
    const answer = await bot.call(method, path, method === 'GET' ? undefined : bucketBody(s3))
    assert.deepEqual([answer.status, answer.code], [403, 'bots_not_allowed'])
  }
})

test('BUCKET-1: a bucket of another space and an unknown one are 404, before the body is read', async () => {
  const other = await makeSpace(stranger)
  const foreign = await stranger.client.buckets.create(other.id, bucketBody(s3))
  await create()
  for (const id of [foreign.id, newId(), space.id]) {
    const answers = [
      await owner.call('PATCH', `${path}/${id}`, 'no JSON'),
      await owner.call('DELETE', `${path}/${id}`),
      await owner.call('POST', `${path}/${id}/activate`),
      await owner.call('POST', `${path}/${id}/deactivate`),
    ]
    for (const { status, code } of answers) assert.deepEqual([status, code], [404, 'unknown_bucket'])
  }
  assert.equal((await owner.call('DELETE', `${path}/x`)).status, 400)
  assert.deepEqual(await stranger.client.buckets.list(other.id), [foreign])
})

test('BUCKET-2: limits are positive integers, or null for none', async () => {
  const before = await list()
  const wrong = [0, -1, 1.5, '1', true, [], {}, 2 ** 53, 1e300, '']
  for (const field of ['max_bytes', 'upload_limit_bytes']) {
    for (const value of wrong) {
      const { status, code, body } = await owner.call('POST', path, bucketBody(s3, { [field]: value }))
      assert.deepEqual([status, code], [400, 'invalid_storage'], `${field} ${JSON.stringify(value)}`)
      const error = `invalid storage configuration: ${field} must be a positive integer, or null for no limit`
      assert.deepEqual(body, { error })
    }
  }
  assert.deepEqual(await list(), before)
  const unlimited = await create({ max_bytes: null, upload_limit_bytes: null })
  assert.deepEqual([unlimited.max_bytes, unlimited.upload_limit_bytes], [null, null])
  for (const value of wrong) {
    const answer = await owner.call('PATCH', `${path}/${unlimited.id}`, { max_bytes: value })
    assert.equal(answer.code, 'invalid_storage', JSON.stringify(value))
  }
  const largest = await create({ max_bytes: Number.MAX_SAFE_INTEGER, upload_limit_bytes: 1 })
  assert.deepEqual([largest.max_bytes, largest.upload_limit_bytes], [Number.MAX_SAFE_INTEGER, 1])
})

test('BUCKET-2: each refusal of settings begins with the words of the specification', async () => {
  const { id } = await create()
  const wrong = [
    { endpoint: '' },
    { endpoint: 5 },
    { bucket_name: 'a/b' },
    { bucket_name: '..' },
    { name: '' },
    { region: 'eu west' },
    { access_key_id: 'a b' },
    { secret_access_key: '' },
    { use_path_style: 'yes' },
  ]
  for (const changes of wrong) {
    const answers = [
      await owner.call('POST', path, { ...bucketBody(s3), ...changes }),
      await owner.call('PATCH', `${path}/${id}`, changes),
      await owner.call('POST', `${path}/test`, { ...bucketBody(s3), ...changes }),
      await owner.call('POST', `${path}/${id}/test`, changes),
    ]
    for (const { status, code, body } of answers) {
      assert.deepEqual([status, code], [400, 'invalid_storage'], JSON.stringify(changes))
      assert.match(JSON.stringify(body), /^\{"error":"invalid storage configuration: \w+ must /)
    }
  }
})

test('BUCKET-2: an endpoint is an http or https URL without a password, a query or a fragment', async () => {
  const asked = s3.requests.length
  const wrong = [
    'ftp://127.0.0.1',
    'file:///etc',
    'nonsense',
    '127.0.0.1:9000',
    'http://',
    'http://user@127.0.0.1',
  ]
  for (const endpoint of [
    ...wrong,
    'https://a:b@127.0.0.1',
    'http://127.0.0.1/?a=b',
    'http://127.0.0.1/#a',
  ]) {
    const { status, code, body } = await owner.call('POST', path, bucketBody(s3, { endpoint }))
    assert.deepEqual([status, code], [400, 'invalid_storage'], endpoint)
    assert.match(JSON.stringify(body), /^\{"error":"invalid storage configuration: endpoint must /)
  }
  assert.equal(s3.requests.length, asked)
  assert.deepEqual(await list(), [])
})

test('BUCKET-2: errors in the other fields name the field', async () => {
  const wrong = {
    name: ['', ' ', 'x'.repeat(101), null, 1],
    bucket_name: ['', '.', '..', 'a/b', 'a b', '-a', null],
    access_key_id: ['', 'a b', 'a\nb', 'ü', null],
    secret_access_key: ['', 'a b', 'a\nb', null],
    region: ['eu west', 'a/b', 'x'.repeat(65), 1],
    use_path_style: ['true', null, 1],
    endpoint: ['', null, 1],
  }
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, body } = await owner.call('POST', path, { ...bucketBody(s3), [field]: value })
      assert.equal(status, 400, `${field} ${JSON.stringify(value)}`)
      assert.match(JSON.stringify(body), new RegExp(`^\\{"error":"invalid storage configuration: ${field} `))
    }
  }
  for (const field of ['name', 'endpoint', 'bucket_name', 'access_key_id', 'secret_access_key']) {
    const { status, body } = await owner.call('POST', path, { ...bucketBody(s3), [field]: undefined })
    const error = `invalid storage configuration: ${field} is required`
    assert.deepEqual([status, body], [400, { error }])
  }
})

test('BUCKET-11: members with ManageSpaceBuckets receive the events', async () => {
  const before = await published()
  const created = await create()
  const updated = await owner.client.buckets.update(space.id, created.id, { name: 'Renamed' })
  await owner.client.buckets.delete(space.id, created.id)
  const gone = { space_id: space.id, bucket_id: created.id }
  const events: [string, StorageBucket | object][] = [
    ['SPACE_BUCKET_CREATE', created],
    ['SPACE_BUCKET_UPDATE', updated],
    ['SPACE_BUCKET_DELETE', gone],
  ]
  assert.deepEqual(
    (await published()).slice(before.length),
    events.map(([name, data]) => ({ name, audience: ManageSpaceBuckets, data })),
  )
})

test('BUCKET-13: a space has at most 20 buckets, however many are added at once', async () => {
  const others = Array.from({ length: MAX_BUCKETS - 1 }, () => newId())
  await server.deps.database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind, name)
    select ${space.id}, id, 's3', 'One of many' from unnest(${others}::uuid[]) as id`)
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const added = Promise.all([1, 2, 3].map(() => owner.call('POST', path, bucketBody(s3))))
  await lock.waitForBlocked(3)
  await lock.release()
  const answers = await added
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  assert.equal(answers.find(({ status }) => status === 400)?.code, 'too_many_buckets')
  assert.equal((await owner.call('POST', `${path}/included`)).code, 'too_many_buckets')
  assert.equal((await list()).length, MAX_BUCKETS)
})

test('BUCKET-5: one of two buckets added at once to an empty space is active', async () => {
  const lock = await holdLock(server, sql`select id from spaces where id = ${space.id} for update`)
  const added = Promise.all([create(), create()])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await added).map(({ active }) => active).sort(), [false, true])
})
