import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { insertImages, methodsOf, nouns } from '#test/scenes/space-images.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

let server: TestServer
let owner: Person
let picture: File
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  picture = await png()
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner)
  await addStorage(server, space.id)
})

const refused: unknown[] = [
  'x',
  'x'.repeat(33),
  'a b',
  'a-b',
  ' ab',
  'ab\n',
  'äh',
  '🙂🙂',
  '',
  'a:b',
  '../ab',
]

for (const noun of nouns) {
  const { kind, one, event, pathIn, max, tooMany } = noun
  const make = (name: string) => methodsOf(owner, noun).create(space.id, { name, image: picture })
  const create = (name: string) =>
    owner.call('POST', pathIn(space.id), formOf(['name', name], ['image', picture]))
  const told = async () =>
    (await listJournal(server, topicOf.space(space.id))).filter(({ name }) => name.startsWith(event))
  const holdSpace = () => holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)

  test(`EMOJI-5: the name of ${one} has 2 to 32 of letters, 0-9 and _`, async () => {
    for (const name of ['ab', '__', '42', 'x'.repeat(32)]) assert.equal((await make(name)).name, name)
    const [image] = await methodsOf(owner, noun).list(space.id)
    assert.ok(image)
    for (const name of [...refused, null, 7, ['ab']]) {
      const renamed = await owner.call('PATCH', `${pathIn(space.id)}/${image.id}`, { name })
      assert.deepEqual([renamed.status, renamed.code], [400, 'invalid_request'], `${name}`)
      assert.match(JSON.stringify(renamed.body), /"name must be /)
    }
    for (const name of refused) {
      const made = await create(`${name}`)
      assert.deepEqual([made.status, made.code], [400, 'invalid_request'], `${name}`)
    }
    assert.equal((await owner.call('PATCH', `${pathIn(space.id)}/${image.id}`, {})).status, 400)
    assert.equal((await listHoldings(server, space.id)).ids.length, 4)
  })

  test(`EMOJI-5: a name that ${one} of the space already has is taken, ignoring case`, async () => {
    const tea = await make('Tea')
    const milk = await make('milk')
    const [before, held] = [await told(), await listHoldings(server, space.id)]
    for (const name of ['Tea', 'tea', 'TEA']) {
      const made = await create(name)
      assert.deepEqual([made.status, made.code, made.body], [400, 'name_taken', { error: 'name is taken' }])
      const renamed = await owner.call('PATCH', `${pathIn(space.id)}/${milk.id}`, { name })
      assert.deepEqual([renamed.status, renamed.code], [400, 'name_taken'])
    }
    assert.deepEqual([await told(), await listHoldings(server, space.id)], [before, held])
    assert.deepEqual(await methodsOf(owner, noun).list(space.id), [tea, milk])
    assert.equal((await methodsOf(owner, noun).update(space.id, tea.id, { name: 'tEA' })).name, 'tEA')
  })

  test(`EMOJI-5: a name is free in another space, for the other kind, and once its ${kind} is deleted`, async () => {
    const { id } = await make('tea')
    const [other] = nouns.filter((candidate) => candidate !== noun)
    assert.ok(other)
    await methodsOf(owner, other).create(space.id, { name: 'tea', image: picture })
    await methodsOf(owner, noun).delete(space.id, id)
    await make('TEA')
    space = await makeSpace(owner)
    await addStorage(server, space.id)
    await make('tea')
  })

  test(`EMOJI-5: one of several simultaneous requests to create ${one} with one name succeeds`, async () => {
    const milk = await make('milk')
    const lock = await holdSpace()
    const tries = [
      ...['tea', 'TEA', 'Tea'].map(create),
      owner.call('PATCH', `${pathIn(space.id)}/${milk.id}`, { name: 'teA' }),
    ]
    await lock.waitForBlocked(4)
    await lock.release()
    const answers = await Promise.all(tries)
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
    const images = await methodsOf(owner, noun).list(space.id)
    const { ids } = await listHoldings(server, space.id)
    assert.deepEqual(ids, images.map((image) => image.attachment_id).toSorted())
  })

  test(`EMOJI-6: a space has at most ${max} of each ${kind}, however many are created at once`, async () => {
    await insertImages(server, { spaceId: space.id, creatorId: owner.id }, noun, max - 1)
    const lock = await holdSpace()
    const tries = ['one', 'two', 'three'].map(create)
    await lock.waitForBlocked(3)
    await lock.release()
    const codes = (await Promise.all(tries)).map(({ code }) => code)
    assert.deepEqual(codes.toSorted(), [null, tooMany, tooMany].toSorted())
    assert.equal((await methodsOf(owner, noun).list(space.id)).length, max)
    assert.equal((await listHoldings(server, space.id)).ids.length, 1)
    assert.equal((await told()).length, 1)
  })

  test(`EMOJI-8: a rename is published, but not one to the same name`, async () => {
    const image = await make('tea')
    const renamed = await methodsOf(owner, noun).update(space.id, image.id, { name: 'milk' })
    assert.deepEqual(renamed, { ...image, name: 'milk' })
    const update = { name: `${event}_UPDATE`, audience: 0, data: renamed }
    assert.deepEqual((await told()).slice(1), [update])
    assert.deepEqual(await methodsOf(owner, noun).update(space.id, image.id, { name: 'milk' }), renamed)
    assert.deepEqual((await told()).slice(1), [update])
  })
}

test('EMOJI-7: no files are left except those that are shown', () => checkFilesAtRest(server))
