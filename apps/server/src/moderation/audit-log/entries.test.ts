import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_AUDIT_REASON } from '@foyer/protocol/audit-reason'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { connect } from '#test/gateway-client.ts'
import { startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { listWholeJournal } from '#test/scenes/space-rows.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let people: RankedPeople
let space: TestSpace

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.Administrator)
})

const entries = async () => (await people.owner.client.auditLog.list(space.id)).entries
const newest = () => newestEntry(people.owner, space.id)

test('AUDIT-2: an entry has the author, the target and only the fields that changed', async () => {
  const { owner, actor } = people
  const room = await actor.client.rooms.update(space.id, space.general, { name: 'tea', slow_mode_seconds: 5 })
  const { id, created_at, ...entry } = await newest()
  assert.deepEqual(entry, {
    space_id: space.id,
    actor_id: actor.id,
    action: 'room_update',
    target_type: 'room',
    target_id: room.id,
    target_name: 'tea',
    room_id: null,
    before: { name: 'general', slow_mode_seconds: 0 },
    after: { name: 'tea', slow_mode_seconds: 5 },
    reason: null,
    undoes: null,
    undone_by: null,
  })
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.match(id, /^[0-9a-f-]{36}$/)
  const role = await owner.client.roles.create(space.id, { name: 'r', permissions: 1 })
  const made = await newest()
  assert.deepEqual([made.target_type, made.target_id, made.before], ['role', role.id, null])
  assert.deepEqual([made.after?.name, made.after?.permissions, made.after?.id], ['r', 1, undefined])
})

test('AUDIT-2: a change that is refused, or that changes nothing, leaves no entry', async () => {
  const { owner, actor, below } = people
  const before = await entries()
  await actor.call('PATCH', `/api/spaces/${space.id}/rooms/${space.general}`, { name: 'general' })
  await owner.client.spaces.update(space.id, { name: 'Tea' })
  await owner.client.roles.remove(space.id, below.id, (await owner.client.roles.list(space.id))[1]?.id ?? '')
  await below.call('PATCH', `/api/spaces/${space.id}/rooms/${space.general}`, { name: 'mine' })
  await actor.call('PUT', `/api/spaces/${space.id}/bans/${owner.id}`)
  const message = await owner.client.messages.create(space.general, { content: 'own' })
  await owner.client.messages.update(space.general, message.id, { content: 'edited' })
  await owner.client.messages.delete(space.general, message.id)
  assert.deepEqual(await entries(), before)
})

test('AUDIT-2: an administrator who changes many rows at once leaves one entry', async () => {
  const { owner, below } = people
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: below.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: Permission.SendMessages,
  })
  const before = await entries()
  await owner.client.members.kick(space.id, below.id)
  const after = await entries()
  assert.deepEqual(
    after.slice(0, after.length - before.length).map(({ action }) => action),
    ['member_kick'],
  )
})

const path = () => `/api/spaces/${space.id}/audit-log`

test('AUDIT-3: members with ViewAuditLog read the log, and nobody else', async () => {
  const { owner, actor, bot, below, above, outsider } = people
  const entry = await newest()
  const ways: [string, string][] = [
    ['GET', path()],
    ['GET', `${path()}?limit=0`],
    ['POST', `${path()}/${entry.id}/undo`],
  ]
  for (const [method, url] of ways) {
    for (const person of [below, above])
      assert.equal(
        (await person.call(method, url)).code,
        url.includes('limit') ? 'invalid_request' : 'missing_permission',
      )
    if (!url.includes('limit')) assert.equal((await outsider.call(method, url)).code, 'not_a_member')
  }
  assert.equal((await below.call('GET', `${path()}/export`)).code, 'missing_permission')
  for (const person of [owner, actor, bot]) assert.equal((await person.call('GET', path())).status, 200)
  const { id } = await owner.client.roles.create(space.id, {
    name: 'auditors',
    permissions: 0,
    capabilities: Capability.ViewAuditLog,
  })
  await owner.client.roles.assign(space.id, below.id, id)
  assert.equal((await below.call('GET', path())).status, 200)
})

test('AUDIT-3: a new entry is an event for those who may read the log', async () => {
  const { owner, actor, below } = people
  const clients = await Promise.all([owner, actor, below].map((person) => connect(server, person)))
  await owner.client.members.update(space.id, below.id, { nickname: 'Kim' })
  const entry = await newest()
  await Promise.all(clients.map((client) => client.settle()))
  const heard = clients.map((client) => client.heard('AUDIT_LOG_ENTRY_CREATE').map(({ d }) => d))
  for (const client of clients) client.close()
  assert.deepEqual(heard, [[entry], [entry], []])
  const journal = await listWholeJournal(server, topicOf.space(space.id))
  const audiences = journal
    .filter(({ name }) => name === 'AUDIT_LOG_ENTRY_CREATE')
    .map(({ audience }) => audience)
  assert.deepEqual([...new Set(audiences)], [-Capability.ViewAuditLog])
})

test('AUDIT-4: no entry has a token, a secret, a key, an address or the code of an invite', async () => {
  const { owner, outsider } = people
  const s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  const settings = bucketBody(s3)
  const bucket = await owner.client.buckets.create(space.id, settings)
  await owner.client.buckets.update(space.id, bucket.id, {
    secret_access_key: settings.secret_access_key,
    name: 'x',
  })
  await owner.client.buckets.delete(space.id, bucket.id)
  const webhook = await owner.client.webhooks.create(space.general, { name: 'hook', secret: 'very secret' })
  await owner.client.webhooks.update(webhook.id, { secret: 'even more secret' })
  await owner.client.webhooks.delete(webhook.id)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await outsider.client.invites.join(code)
  const exported = await owner.client.auditLog.export(space.id)
  const journal = JSON.stringify(await listWholeJournal(server, topicOf.space(space.id)))
  await s3.close()
  const { secret_access_key: key, access_key_id: keyId, endpoint, bucket_name: bucketName } = settings
  const secrets = [
    key,
    keyId,
    endpoint,
    bucketName,
    webhook.token ?? '',
    'very secret',
    'more secret',
    code,
    '@example.org',
  ]
  for (const secret of secrets) assert.ok(!exported.includes(secret), secret)
  for (const secret of [key, webhook.token ?? '', 'very secret']) assert.ok(!journal.includes(secret), secret)
  assert.ok(exported.includes('"has_secret":true'))
})

test('AUDIT-5: the reason of a request is kept with its change', async () => {
  const { owner, below } = people
  const reason = 'Zu laut – 3× gewarnt 🦊'
  await owner.client.members.update(space.id, below.id, { nickname: 'a' }, { reason })
  assert.equal((await newest()).reason, reason)
  await owner.client.bans.create(space.id, below.id, { reason: 'spam' }, { reason: 'the header wins' })
  assert.equal((await newest()).reason, 'the header wins')
  await owner.client.bans.create(space.id, below.id, { reason: 'of the body' })
  assert.equal((await newest()).reason, 'of the body')
  await owner.client.bans.delete(space.id, below.id, { reason: '  ' })
  assert.equal((await newest()).reason, null)
})

test('AUDIT-5: a reason that is no percent-encoded UTF-8, or too long, is refused and changes nothing', async () => {
  const { owner, below } = people
  const before = await entries()
  const send = async (reason: string) => {
    const response = await fetch(`${server.url}/api/spaces/${space.id}/members/${below.id}`, {
      method: 'PATCH',
      headers: { ...owner.credentials, 'content-type': 'application/json', 'x-audit-reason': reason },
      body: JSON.stringify({ nickname: 'x' }),
    })
    return response.headers.get('x-error-code') ?? response.status
  }
  for (const reason of ['%', '%zz', '%ff', '%00', 'ü', 'x'.repeat(MAX_AUDIT_REASON + 1)])
    assert.equal(await send(reason), 'invalid_request', reason)
  assert.deepEqual(await entries(), before)
  assert.equal(await send(encodeURIComponent('🦊'.repeat(MAX_AUDIT_REASON))), 200)
  assert.equal((await newest()).reason, '🦊'.repeat(MAX_AUDIT_REASON))
})
