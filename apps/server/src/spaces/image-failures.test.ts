import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { fileOf, formOf, png } from '#test/scenes/pictures.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sendFormSlowly } from '#test/slow-forms.ts'
import { addStorage, countReserved, listHoldings } from '#test/storages.ts'

let server: TestServer
let owner: Person
let steward: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  steward = await createPerson(server, 'steward')
})
after(() => server.close())

/** A space with an icon, and an administrator. */
beforeEach(async () => {
  space = await makeSpace(owner, [steward])
  path = `/api/spaces/${space.id}`
  await addStorage(server, space.id)
  await owner.client.spaces.update(space.id, { icon: await png() })
  const roleId = await insertRole(server, space.id, { permissions: Permission.Administrator, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: steward.id, roleId })
})

const read = async () => ({
  space: await owner.client.spaces.get(space.id),
  holdings: await listHoldings(server, space.id),
  told: await listJournal(server, topicOf.space(space.id)),
})

const broken = fileOf('tea', 'broken.png', 'image/png')

for (const [what, code, form] of [
  [
    'a text is invalid',
    'invalid_request',
    async () => formOf(['icon', await png()], ['locale', 'x'.repeat(36)]),
  ],
  [
    'the banner is not a picture',
    'invalid_image',
    async () => formOf(['icon', await png()], ['banner', broken]),
  ],
  [
    'the icon is not a picture',
    'invalid_image',
    async () => formOf(['icon', broken], ['banner', await png()]),
  ],
] as const) {
  test(`IMG-6: nothing of the form is kept when ${what}`, async () => {
    const before = await read()
    assert.equal((await steward.call('PATCH', path, await form())).code, code)
    assert.deepEqual(await read(), before)
  })
}

test('IMG-6: the icon is given up when there is no space for the banner of the same form', async () => {
  const picture = await png({ width: 500, height: 500 })
  const { icon } = await owner.client.spaces.get(space.id)
  const used = (await listHoldings(server, space.id)).usedBytes
  await server.deps.database.execute(sql`
    update storage_buckets set max_bytes = ${used + picture.size + 1} where tenant_id = ${space.id}`)
  const answer = await owner.call('PATCH', path, formOf(['icon', picture], ['banner', picture]))
  assert.deepEqual([answer.status, answer.code], [413, 'storage_full'])
  assert.deepEqual(await listHoldings(server, space.id), { ids: [icon], usedBytes: used })
})

for (const [what, isLate] of [
  ['the sender is no longer an administrator', true],
  ['nothing else happens', false],
] as const) {
  test(`IMG-6: an update is ${isLate ? 'refused' : 'made'} if ${what} as the change is made`, async () => {
    const before = await read()
    const roles = isLate ? space.id : null
    const lock = await holdLock(
      server,
      sql`with gone as (delete from member_roles where space_id = ${roles})
        select from spaces where id = ${space.id} for no key update`,
    )
    const changed = steward.call('PATCH', path, formOf(['icon', await png()]))
    await lock.waitForBlocked(1)
    await lock.release()
    const { status } = await changed
    const { icon } = await owner.client.spaces.get(space.id)
    assert.deepEqual([status, icon === before.space.icon], isLate ? [403, true] : [200, false])
    assert.deepEqual((await listHoldings(server, space.id)).ids, [icon])
  })
}

for (const isKicked of [true, false]) {
  test(`IMG-2: an update is ${isKicked ? 'refused if' : 'made unless'} its sender is kicked while the form arrives`, async () => {
    const before = await read()
    const reserved = await countReserved(server, space.id)
    const form = formOf(['icon', await png({ width: 200, height: 200 })])
    const status = await sendFormSlowly(server, steward, { method: 'PATCH', path, form }, async () => {
      if (isKicked) await owner.client.members.kick(space.id, steward.id)
    })
    const { icon } = await owner.client.spaces.get(space.id)
    assert.deepEqual([status, icon === before.space.icon], isKicked ? [403, true] : [200, false])
    assert.equal((await countReserved(server, space.id)) - reserved, isKicked ? 0 : 1)
  })
}

test('IMG-6: no files are left except those that are shown', () => checkFilesAtRest(server))
