import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { accessChange } from './access-change.ts'

const { Administrator } = Permission
const REFUSED = { error: "you don't have permission to manage this space" }

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  path = `/api/spaces/${space.id}`
})

async function makeAdministrator(userId: string, permissions: number = Administrator): Promise<void> {
  const roleId = await insertRole(server, space.id, { permissions, position: 1 })
  await assignRole(server, { spaceId: space.id, userId, roleId })
}

/** Stores images as an upload would. */
async function setImages(): Promise<{ icon: string; banner: string }> {
  const images = { icon: newId(), banner: newId() }
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`
      update spaces set icon = ${images.icon}, banner = ${images.banner} where id = ${space.id}`)
    transaction.publish(accessChange(space.id))
  })
  return images
}

const published = () => listJournal(server, topicOf.space(space.id))

test('SPACE-8: the owner changes the space, which receives the update', async () => {
  const before = await owner.client.spaces.get(space.id)
  const heard = await published()
  const body = { name: '  Coffee ', description: ' Strong ', locale: 'pt-BR' }
  const updated = await owner.client.spaces.update(space.id, body)
  const { updated_at, ...rest } = updated
  assert.deepEqual(
    { ...rest, updated_at: before.updated_at },
    { ...before, name: 'Coffee', description: 'Strong', locale: 'pt-BR' },
  )
  assert.ok(updated_at > before.updated_at)
  assert.deepEqual(await guest.client.spaces.get(space.id), updated)
  assert.deepEqual(await published(), [...heard, { name: 'SPACE_UPDATE', audience: 0, data: updated }])
})

test('SPACE-8: administrators, bots included, change it by PUT and by PATCH', async () => {
  const bot = await createBot(server, 'steward')
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  const roleId = await insertRole(server, space.id, { permissions: Administrator, position: 1 })
  for (const { id } of [guest, bot]) await assignRole(server, { spaceId: space.id, userId: id, roleId })
  assert.equal((await guest.call('PUT', path, { name: 'By put' })).status, 200)
  assert.equal((await owner.client.spaces.get(space.id)).name, 'By put')
  assert.equal((await bot.client.spaces.update(space.id, { name: 'By bot' })).name, 'By bot')
})

test('SPACE-8: everyone else gets the same 403, whatever they send and wherever they are', async () => {
  await makeAdministrator(guest.id, ALL_PERMISSIONS & ~Administrator)
  const before = await owner.client.spaces.get(space.id)
  const heard = await published()
  const asked: [Person, string][] = [
    [guest, path],
    [stranger, path],
    [stranger, `/api/spaces/${newId()}`],
  ]
  for (const body of [{ name: 'Mine' }, { icon: 'x' }, 'not even JSON', undefined]) {
    const answers = await Promise.all(asked.map(([person, at]) => person.call('PATCH', at, body)))
    for (const answer of answers)
      assert.deepEqual(answer, { status: 403, code: 'cannot_manage_space', body: REFUSED })
  }
  assert.equal((await callAsNobody(server, 'PATCH', path)).status, 401)
  assert.equal((await owner.call('PATCH', `${path}0`, {})).status, 400)
  assert.deepEqual(await owner.client.spaces.get(space.id), before)
  assert.deepEqual(await published(), heard)
})

test('SPACE-8: a user who is no longer an administrator when the change is made changes nothing', async () => {
  await makeAdministrator(guest.id)
  const lock = await holdLock(
    server,
    sql`with gone as (delete from member_roles where space_id = ${space.id})
      select from spaces where id = ${space.id} for no key update`,
  )
  const changed = guest.call('PATCH', path, { name: 'Too late' })
  await lock.waitForBlocked(1)
  await lock.release()
  assert.deepEqual(await changed, { status: 403, code: 'cannot_manage_space', body: REFUSED })
  assert.equal((await owner.client.spaces.get(space.id)).name, 'Tea')
})

test('SPACE-9: omitted fields stay, and null clears', async () => {
  const all = { name: 'All', description: 'of it', locale: 'de' }
  const full = await owner.client.spaces.update(space.id, all)
  const renamed = await owner.client.spaces.update(space.id, { name: 'Renamed' })
  assert.deepEqual(renamed, { ...full, name: 'Renamed', updated_at: renamed.updated_at })
  const cleared = await owner.client.spaces.update(space.id, { description: null, locale: null })
  assert.deepEqual([cleared.name, cleared.description, cleared.locale], ['Renamed', null, null])
  await owner.client.spaces.update(space.id, { description: 'again' })
  const emptied = await owner.client.spaces.update(space.id, { description: ' ' })
  assert.equal(emptied.description, null)
})

test('SPACE-9: an image stays by its id or when omitted, and is removed by null or an empty text', async () => {
  const images = await setImages()
  const kept = await owner.client.spaces.update(space.id, { ...images, name: 'Kept' })
  assert.deepEqual([kept.icon, kept.banner], [images.icon, images.banner])
  const omitted = await owner.client.spaces.update(space.id, { name: 'Omitted' })
  assert.deepEqual([omitted.icon, omitted.banner], [images.icon, images.banner])
  const half = await owner.client.spaces.update(space.id, { icon: null })
  assert.deepEqual([half.icon, half.banner], [null, images.banner])
  const none = await owner.client.spaces.update(space.id, { banner: '' })
  assert.deepEqual([none.icon, none.banner], [null, null])
  assert.equal((await owner.client.spaces.update(space.id, { icon: '', banner: null })).icon, null)
})

test('SPACE-9: a new image requires multipart; otherwise nothing of the body is applied', async () => {
  const { icon, banner } = await setImages()
  for (const image of [
    { icon: banner },
    { banner: icon },
    { icon: newId() },
    { banner: ' ' },
    { icon: `data:image/png;base64,${'A'.repeat(100_000)}` },
  ]) {
    const answer = await owner.call('PATCH', path, { name: 'Half', ...image })
    assert.deepEqual([answer.status, answer.code], [400, 'image_needs_multipart'])
  }
  const { name, ...rest } = await owner.client.spaces.get(space.id)
  assert.deepEqual([name, rest.icon, rest.banner], ['Tea', icon, banner])
})

test('SPACE-9: an invalid body is refused with its field’s name, and changes nothing', async () => {
  const before = await owner.client.spaces.get(space.id)
  const bodies: [unknown, RegExp][] = [
    [{ name: null }, /^name /],
    [{ name: ' ' }, /^name /],
    [{ name: 'x'.repeat(101) }, /^name /],
    [{ name: 7 }, /^name /],
    [{ description: 'x'.repeat(1025) }, /^description /],
    [{ description: [] }, /^description /],
    [{ icon: 0 }, /^icon /],
    [{ banner: {} }, /^banner /],
    [{ locale: 'x'.repeat(36) }, /^locale /],
    [{ locale: 5 }, /^locale /],
    ['[]', /^the request body /],
    [undefined, /missing/],
  ]
  for (const [body, message] of bodies) {
    const answer = await owner.call('PATCH', path, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(answer.body).slice('{"error":"'.length), message)
  }
  assert.deepEqual(await owner.client.spaces.get(space.id), before)
})

test('SPACE-10: a change without effect publishes nothing, and keeps updated_at', async () => {
  const description = 'as it is'
  const before = await owner.client.spaces.update(space.id, { description })
  const heard = await published()
  for (const body of [
    {},
    { name: 'Tea', description, icon: null, banner: '', locale: null },
    { owner_id: 1 },
  ])
    assert.deepEqual(await owner.call('PATCH', path, body), { status: 200, code: null, body: before })
  assert.deepEqual(await published(), heard)
})

test('SPACE-10: neither of two simultaneous changes is lost', async () => {
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const changes = [{ name: 'One' }, { description: 'Two' }].map((body) => owner.call('PATCH', path, body))
  await lock.waitForBlocked(2)
  await lock.release()
  for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
  const { name, description } = await owner.client.spaces.get(space.id)
  assert.deepEqual([name, description], ['One', 'Two'])
})

test('SPACE-8: a member who joined by invite is refused until they are an administrator', async () => {
  const late = await createPerson(server, 'late')
  await join(late, owner, space)
  assert.equal((await late.call('PATCH', path, { name: 'x' })).code, 'cannot_manage_space')
  await makeAdministrator(late.id)
  assert.equal((await late.call('PATCH', path, { name: 'x' })).status, 200)
})
