import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { purgeSpace } from '#src/erasure/purge.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { passTime } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { awaitPurge, endRestoring, isThere } from '#test/scenes/deleted-spaces.ts'
import { type FullSpace, fillSpace } from '#test/scenes/full-space.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let s3: FakeS3
let ada: Person
let owner: Person
let member: Person
let space: FullSpace
let count = 0

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  ada = await createOperator(server, 'ada')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await fillSpace(server, { owner, member }, s3)
})

const administration = () => ada.client.api(Administration)

test('ERASE-4: operators list deleted spaces and bring one back with all that was in it', async () => {
  const before = await owner.client.spaces.get(space.id)
  await owner.client.spaces.delete(space.id)
  assert.deepEqual(await administration().findSpaces({ query: space.id }), [])
  const [found] = await administration().findSpaces({ query: owner.id, deleted: true })
  const days = Date.parse(found?.restorable_until ?? '') - Date.parse(found?.deleted_at ?? '')
  assert.deepEqual([found?.space.id, days], [space.id, 14 * 86_400_000])
  await passTime(server)
  const gateway = await connect(server, member)
  const restored = await administration().restoreSpace(space.id, {}, { reason: 'by mistake' })
  assert.deepEqual([restored.deleted_at, restored.restorable_until], [null, null])
  const created = await gateway.findEvent('SPACE_CREATE')
  assert.ok(created.text.includes(space.general))
  gateway.close()
  assert.deepEqual(
    { ...(await owner.client.spaces.get(space.id)), updated_at: '' },
    { ...before, updated_at: '' },
  )
  assert.equal((await member.client.messages.get(space.general, space.messageId)).pinned, true)
  assert.equal((await server.fetch(space.fileUrl)).status, 200)
  const more = await member.client.messages.createWithFiles(space.general, { content: 'again' }, [
    note('more'),
  ])
  assert.equal((await server.fetch(more.attachments[0]?.url ?? '')).status, 200)
  assert.equal((await owner.client.members.list(space.id)).length, 2)
  assert.ok((await owner.client.buckets.list(space.id)).some(({ active }) => active))
  const { entries } = await administration().log({ target_id: space.id })
  assert.deepEqual([entries[0]?.action, entries[0]?.reason], ['space_restore', 'by mistake'])
})

test('ERASE-4: a space that is not deleted, is unknown or was purged cannot be brought back', async () => {
  const restore = (id: string) => ada.call('POST', `/api/operator/spaces/${id}/restore`)
  for (const id of [space.id, newId()]) assert.equal((await restore(id)).code, 'unknown_space')
  assert.equal((await restore('x')).status, 400)
  await owner.client.spaces.delete(space.id)
  await awaitPurge(server, space.id)
  assert.equal((await restore(space.id)).code, 'unknown_space')
})

test('ERASE-4: only operators bring back, hold and release spaces', async () => {
  const bot = await createApplicationBot(server, owner, { name: `Bot ${count}` })
  await owner.client.spaces.delete(space.id)
  const base = `/api/operator/spaces/${space.id}`
  const calls = [
    ['POST', `${base}/restore`],
    ['PUT', `${base}/hold`],
    ['DELETE', `${base}/hold`],
  ] as const
  for (const [method, path] of calls) {
    for (const person of [owner, member])
      assert.equal((await person.call(method, path)).code, 'operator_only')
    assert.equal((await bot.call(method, path)).status, 403)
    assert.equal((await server.fetch(path, { method })).status, 401)
  }
  assert.equal((await ada.call('POST', `${base}/restore`, { owner_id: 'x' })).status, 400)
  assert.equal((await owner.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
})

test('ERASE-5: a space is brought back or purged, never half of both', async () => {
  for (const isPurgeFirst of [true, false]) {
    const each = await fillSpace(server, { owner, member }, s3)
    await owner.client.spaces.delete(each.id)
    await endRestoring(server, each.id)
    const lock = await holdLock(server, sql`select from spaces where id = ${each.id} for no key update`)
    const purge = async () => {
      while (await purgeSpace(server.deps.database, each.id)) {}
    }
    const restore = () => ada.call('POST', `/api/operator/spaces/${each.id}/restore`)
    const first = isPurgeFirst ? purge() : restore()
    await lock.waitForBlocked(1)
    const second = isPurgeFirst ? restore() : purge()
    await lock.waitForBlocked(2)
    await lock.release()
    await Promise.all([first, second])
    assert.equal(await isThere(server, each.id), !isPurgeFirst)
    if (isPurgeFirst) continue
    assert.equal((await member.client.messages.get(each.general, each.messageId)).content, 'kettle')
    assert.equal((await server.fetch(each.fileUrl)).status, 200)
  }
})

test('ERASE-6: if the account of the owner is deleted, a member has to become the owner', async () => {
  await owner.client.spaces.delete(space.id)
  await administration().deleteUser(owner.id)
  const restore = (body?: unknown) => ada.call('POST', `/api/operator/spaces/${space.id}/restore`, body)
  assert.equal((await restore()).code, 'owner_deleted')
  assert.equal((await restore({ owner_id: owner.id })).code, 'unknown_member')
  assert.equal((await restore({ owner_id: ada.id })).code, 'unknown_member')
  assert.equal((await restore({ owner_id: newId() })).code, 'unknown_member')
  const [found] = await administration().findSpaces({ query: space.id, deleted: true })
  assert.ok(found?.owner.deleted_at)
  assert.equal((await restore({ owner_id: member.id })).status, 200)
  assert.equal((await member.client.spaces.get(space.id)).owner_id, member.id)
})

test('ERASE-7: a held space is not purged until it is released', async () => {
  await owner.client.spaces.delete(space.id)
  await administration().holdSpace(space.id, { reason: 'case 7' })
  await endRestoring(server, space.id)
  assert.equal(await purgeSpace(server.deps.database, space.id), false)
  assert.equal(await isThere(server, space.id), true)
  const [held] = await administration().findSpaces({ query: space.id, held: true })
  assert.deepEqual([held?.hold_reason, held?.deleted_at === null], ['case 7', false])
  const again = await administration().holdSpace(space.id, { reason: 'other' })
  assert.equal(again.hold_reason, 'case 7')
  assert.equal((await administration().releaseSpace(space.id)).held_at, null)
  await awaitPurge(server, space.id)
  assert.equal((await ada.call('PUT', `/api/operator/spaces/${space.id}/hold`)).code, 'unknown_space')
  const { entries } = await administration().log({ target_id: space.id })
  assert.deepEqual(
    entries.map(({ action, reason }) => [action, reason]),
    [
      ['space_release', null],
      ['space_hold', 'case 7'],
    ],
  )
})

test('ERASE-4: each of many members receives SPACE_CREATE once', async () => {
  await server.deps.database.execute(sql`
    with made as (
      insert into users (id, username) select gen_random_uuid(), 'crowd' || n || ${space.id}::text from generate_series(1, 60) n
      returning id
    ), joined as (
      insert into members (space_id, user_id) select ${space.id}, id from made
    )
    update spaces set member_count = member_count + 60 where id = ${space.id}`)
  await owner.client.spaces.delete(space.id)
  await server.deps.database.execute(sql`delete from events where name = 'SPACE_CREATE'`)
  await administration().restoreSpace(space.id)
  const heard = () =>
    server.deps.database.execute<{ tenant_id: string }>(sql`
      select tenant_id from events where name = 'SPACE_CREATE' and data::json ->> 'id' = ${space.id}`)
  await until(async () => (await heard()).length >= 62, 'every member has the event')
  assert.equal(new Set((await heard()).map(({ tenant_id }) => tenant_id)).size, 62)
  assert.equal((await heard()).length, 62)
})
