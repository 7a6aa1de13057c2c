import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { deletionOf, methodsOf, nouns } from '#test/scenes/space-images.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'
import { deleteImagesOf } from './actions.ts'

const NO_CHANGE = { ids: [], usedBytes: 0 }

let server: TestServer
let owner: Person
let guest: Person
let picture: File
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  picture = await png()
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  await addStorage(server, space.id)
})

const publishedDeletions = async () =>
  (await listJournal(server, topicOf.space(space.id))).filter(({ name }) =>
    /^SPACE_(EMOJI|STICKER)_DELETE$/.test(name),
  )

/** Makes an emoji and a sticker with the same name. */
const makeBoth = (name: string) =>
  Promise.all(
    nouns.map(async (noun) => {
      const image = await methodsOf(owner, noun).create(space.id, { name, image: picture })
      return {
        noun,
        image,
        told: { name: `${noun.event}_DELETE`, audience: 0, data: deletionOf(noun, image) },
      }
    }),
  )

for (const noun of nouns) {
  const { one, event } = noun

  test(`EMOJI-10: ${one} disappears from all lists when deleted, and its picture is deleted`, async () => {
    const methods = methodsOf(owner, noun)
    const gone = await methods.create(space.id, { name: 'gone', image: picture })
    const kept = await methods.create(space.id, { name: 'kept', image: picture })
    const download = (id: string) => server.fetch(`/attachments/${id}?stream=1`)
    assert.equal((await download(gone.attachment_id)).status, 200)
    assert.equal(await methods.delete(space.id, gone.id), undefined)
    assert.deepEqual(await methodsOf(guest, noun).list(space.id), [kept])
    assert.equal((await download(gone.attachment_id)).status, 404)
    assert.deepEqual((await listHoldings(server, space.id)).ids, [kept.attachment_id])
    const deletion = { name: `${event}_DELETE`, audience: 0, data: deletionOf(noun, gone) }
    assert.deepEqual(await publishedDeletions(), [deletion])
  })

  test(`EMOJI-10: one of two simultaneous deletions of ${one} succeeds`, async () => {
    const { id } = await methodsOf(owner, noun).create(space.id, { name: 'tea', image: picture })
    const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
    const tries = [1, 2].map(() => owner.call('DELETE', `${noun.pathIn(space.id)}/${id}`))
    await lock.waitForBlocked(2)
    await lock.release()
    const answers = await Promise.all(tries)
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
    assert.equal((await publishedDeletions()).length, 1)
    assert.deepEqual(await listHoldings(server, space.id), NO_CHANGE)
  })
}

test('EMOJI-11: everything made from a picture is deleted with it, each with its event', async () => {
  const [gone, kept] = [await makeBoth('gone'), await makeBoth('kept')]
  const ids = gone.map(({ image }) => image.attachment_id)
  const deleted = await server.deps.database.transaction((transaction) =>
    deleteImagesOf(transaction, space.id, ids),
  )
  assert.equal(deleted.length, 2)
  assert.deepEqual(byName(await publishedDeletions()), byName(gone.map(({ told }) => told)))
  for (const { noun, image } of kept) assert.deepEqual(await methodsOf(owner, noun).list(space.id), [image])
  const left = kept.map(({ image }) => image.attachment_id)
  assert.deepEqual((await listHoldings(server, space.id)).ids, left.toSorted())
})

test('EMOJI-11: all emojis and stickers are deleted with all pictures, and those of other spaces stay', async () => {
  const here = space
  space = await makeSpace(owner)
  await addStorage(server, space.id)
  const elsewhere = await makeBoth('elsewhere')
  const away = space
  space = here
  const gone = [...(await makeBoth('one')), ...(await makeBoth('two'))]
  await owner.client.spaces.update(space.id, { icon: picture })
  await server.deps.database.transaction((transaction) => deleteImagesOf(transaction, space.id, 'all'))
  assert.deepEqual(byName(await publishedDeletions()), byName(gone.map(({ told }) => told)))
  const { icon } = await owner.client.spaces.get(space.id)
  assert.deepEqual((await listHoldings(server, space.id)).ids, [icon])
  for (const { noun, image } of elsewhere)
    assert.deepEqual(await methodsOf(owner, noun).list(away.id), [image])
})

function byName(events: readonly { name: string; data: unknown }[]): string[] {
  return events.map((event) => JSON.stringify(event)).toSorted()
}

test('EMOJI-8: members receive creations and deletions at once, and others nothing', async () => {
  const stranger = await createPerson(server, 'stranger')
  const [hers, theirs] = [await connect(server, guest), await connect(server, stranger)]
  const made = await makeBoth('tea')
  for (const { noun, image } of made) await methodsOf(owner, noun).delete(space.id, image.id)
  for (const { noun, image } of made) {
    assert.deepEqual((await hers.findEvent(`${noun.event}_CREATE`)).d, image)
    assert.deepEqual((await hers.findEvent(`${noun.event}_DELETE`)).d, deletionOf(noun, image))
  }
  await theirs.settle()
  assert.deepEqual(
    theirs.frames.filter(({ t }) => t !== undefined && /EMOJI|STICKER/.test(t)),
    [],
  )
})

test('EMOJI-7: no files are left except those that are shown', () => checkFilesAtRest(server))
