import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { callAsNobody, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { methodsOf, nouns } from '#test/scenes/space-images.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sendFormSlowly } from '#test/slow-forms.ts'
import { addStorage, countReserved, listHoldings } from '#test/storages.ts'

const MEMBERSHIP = { status: 403, code: 'not_a_member' }
const PERMISSION = { status: 403, code: 'missing_permission' }

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let picture: File
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
  picture = await png()
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  await addStorage(server, space.id)
})

const published = () => listJournal(server, topicOf.space(space.id))

for (const noun of nouns) {
  const { kind, one, permission, pathIn, unknown } = noun
  const { Administrator } = Permission
  const make = (name: string) => methodsOf(owner, noun).create(space.id, { name, image: picture })

  /** Returns the answers to creating, renaming and deleting, also with an unknown id. */
  async function tryAll(person: Person, id: string, at = space.id) {
    const calls = [
      ['POST', pathIn(at), formOf(['name', 'mine'], ['image', picture])],
      ['POST', pathIn(at), '{'],
      ['PATCH', `${pathIn(at)}/${id}`, { name: 'mine' }],
      ['PUT', `${pathIn(at)}/${id}`, '{'],
      ['PATCH', `${pathIn(at)}/${newId()}`, {}],
      ['DELETE', `${pathIn(at)}/${id}`, undefined],
      ['DELETE', `${pathIn(at)}/${newId()}`, undefined],
    ] as const
    const answers = []
    for (const [method, path, body] of calls) {
      const { status, code } = await person.call(method, path, body)
      answers.push({ status, code })
    }
    return answers
  }

  test(`EMOJI-2: users without the permission cannot create, rename or delete ${one}`, async () => {
    const image = await make('tea')
    await giveRole(owner, space.id, [guest], { permissions: ALL_PERMISSIONS & ~Administrator & ~permission })
    const [before, held] = [await published(), await listHoldings(server, space.id)]
    for (const answer of await tryAll(guest, image.id)) assert.deepEqual(answer, PERMISSION)
    for (const answer of await tryAll(stranger, image.id)) assert.deepEqual(answer, MEMBERSHIP)
    for (const answer of await tryAll(stranger, image.id, newId())) assert.deepEqual(answer, MEMBERSHIP)
    assert.equal((await stranger.call('GET', pathIn(space.id))).code, 'not_a_member')
    assert.equal((await callAsNobody(server, 'GET', pathIn(space.id))).status, 401)
    assert.equal((await callAsNobody(server, 'POST', pathIn(space.id))).status, 401)
    assert.deepEqual(await methodsOf(guest, noun).list(space.id), [image])
    assert.deepEqual([await published(), await listHoldings(server, space.id)], [before, held])
  })

  for (const [what, permissions] of [
    ['the permission', permission],
    ['Administrator', Administrator],
  ] as const) {
    test(`EMOJI-2: a member and a bot with ${what} can create, rename and delete each ${kind}`, async () => {
      const bot = await createApplicationBot(server, owner, { name: 'Painter' })
      await owner.client.members.addBot(space.id, bot.id)
      await giveRole(owner, space.id, [guest, bot], { permissions })
      const { id } = await make('tea')
      for (const person of [guest, bot]) {
        const methods = methodsOf(person, noun)
        const own = await methods.create(space.id, { name: `of_${person.id.slice(-6)}`, image: picture })
        assert.equal(own.creator_id, person.id)
        const name = `tea_${person.id.slice(-6)}`
        assert.equal((await methods.update(space.id, id, { name })).name, name)
        assert.equal((await person.call('PUT', `${pathIn(space.id)}/${id}`, { name: 'put' })).status, 200)
        await methods.delete(space.id, own.id)
      }
      await methodsOf(guest, noun).delete(space.id, id)
      assert.deepEqual(await methodsOf(owner, noun).list(space.id), [])
    })
  }

  test(`EMOJI-2: the creator of ${one} has no special right to it`, async () => {
    const role = await giveRole(owner, space.id, [guest], { permissions: permission })
    const { id } = await methodsOf(guest, noun).create(space.id, { name: 'mine', image: picture })
    await owner.client.roles.delete(space.id, role.id)
    assert.equal((await guest.call('DELETE', `${pathIn(space.id)}/${id}`)).code, 'missing_permission')
  })

  test(`EMOJI-2: a user who loses the permission while ${one} is created, renamed or deleted changes nothing`, async () => {
    const { id } = await make('tea')
    await giveRole(owner, space.id, [guest], { permissions: permission })
    const [before, held] = [await published(), await listHoldings(server, space.id)]
    const lock = await holdLock(
      server,
      sql`with gone as (delete from member_roles where space_id = ${space.id})
        select from spaces where id = ${space.id} for no key update`,
    )
    const tried = tryTogether(guest, id)
    await lock.waitForBlocked(3)
    await lock.release()
    for (const { status, code } of await tried) assert.deepEqual({ status, code }, PERMISSION)
    assert.deepEqual([await published(), await listHoldings(server, space.id)], [before, held])
  })

  const tryTogether = (person: Person, id: string) =>
    Promise.all([
      person.call('POST', pathIn(space.id), formOf(['name', 'late'], ['image', picture])),
      person.call('PATCH', `${pathIn(space.id)}/${id}`, { name: 'late' }),
      person.call('DELETE', `${pathIn(space.id)}/${id}`),
    ])

  for (const isKicked of [true, false]) {
    test(`EMOJI-2: ${one} is ${isKicked ? 'refused if' : 'created unless'} its sender is kicked while it arrives`, async () => {
      await giveRole(owner, space.id, [guest], { permissions: permission })
      const form = formOf(['name', 'slow'], ['image', await png({ width: 200, height: 200 })])
      const request = { method: 'POST', path: pathIn(space.id), form }
      const status = await sendFormSlowly(server, guest, request, async () => {
        if (isKicked) await owner.client.members.kick(space.id, guest.id)
      })
      const made = await methodsOf(owner, noun).list(space.id)
      assert.deepEqual([status, made.length], isKicked ? [403, 0] : [200, 1])
      assert.equal(await countReserved(server, space.id), made.length)
    })
  }

  test(`EMOJI-9: ${one} of another space, of the other kind, or deleted is 404, whatever is sent`, async () => {
    const elsewhere = await makeSpace(owner)
    await addStorage(server, elsewhere.id)
    const foreign = await methodsOf(owner, noun).create(elsewhere.id, { name: 'tea', image: picture })
    const [other] = nouns.filter((candidate) => candidate !== noun)
    assert.ok(other)
    const ofOtherKind = await methodsOf(owner, other).create(space.id, { name: 'tea', image: picture })
    const gone = await make('gone')
    await methodsOf(owner, noun).delete(space.id, gone.id)
    for (const id of [foreign.id, ofOtherKind.id, gone.id, gone.attachment_id, newId()]) {
      for (const [method, body] of [
        ['PATCH', '{'],
        ['PUT', { name: 'x' }],
        ['DELETE', undefined],
      ] as const) {
        const { status, code } = await owner.call(method, `${pathIn(space.id)}/${id}`, body)
        assert.deepEqual([status, code], [404, unknown])
      }
    }
    assert.equal((await owner.call('DELETE', `${pathIn(space.id)}/no-id`)).status, 400)
    assert.deepEqual(await methodsOf(owner, noun).list(elsewhere.id), [foreign])
    assert.deepEqual(await methodsOf(owner, other).list(space.id), [ofOtherKind])
  })
}

test('EMOJI-7: no files are left except those that are shown', () => checkFilesAtRest(server))
