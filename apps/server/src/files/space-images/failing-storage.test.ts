import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { discardFiles } from '#src/files/objects/actions.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  BreakableStorage,
  breakOff,
  type Fault,
  fail,
  loseAnswer,
  refuseForRoom,
  refuseSignature,
} from '#test/breakable-storage.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

let storage: BreakableStorage
let server: TestServer
let owner: Person
let picture: File
let space: TestSpace

before(async () => {
  storage = await BreakableStorage.start()
  server = await startTestServer({ s3: storage.settings })
  owner = await createPerson(server, 'owner')
  picture = await png()
})
after(async () => {
  await server.close()
  await storage.close()
})

/** A space with an emoji, an icon and a banner. */
beforeEach(async () => {
  space = await makeSpace(owner)
  await addStorage(server, space.id)
  await owner.client.emojis.create(space.id, { name: 'there', image: picture })
  await owner.client.spaces.update(space.id, { icon: picture, banner: picture })
})

const storages = { own: () => storage.list() }
afterEach(async () => {
  storage.mend()
  await checkFilesAtRest(server, storages)
})

const discard = (ids: string[]) =>
  server.deps.database.transaction((transaction) => discardFiles(transaction, space.id, ids))
const published = () => listJournal(server, topicOf.space(space.id))

/** Stores the first object and fails the next. */
function afterOne(fault: Fault): Fault {
  let count = 0
  return (exchange) => {
    count += 1
    return count === 1 ? exchange.serve() : fault(exchange)
  }
}

for (const [what, fault, status, code] of [
  ['refuses', refuseSignature, 503, 'storage_unavailable'],
  ['aborts', breakOff, 503, 'storage_unavailable'],
  ['fails', fail, 503, 'storage_unavailable'],
  ['is full', refuseForRoom, 413, 'storage_full'],
  ['stores it without answering', loseAnswer, 503, 'storage_unavailable'],
] as const) {
  test(`EMOJI-7, IMG-6: a storage that ${what} keeps nothing, and the next attempt works`, async () => {
    const before = [await listHoldings(server, space.id), await published()]
    const attempts = [
      () => owner.call('POST', `/api/spaces/${space.id}/emojis`, formOf(['name', 'new'], ['i', picture])),
      () => owner.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', picture])),
      () => owner.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', picture], ['banner', picture])),
    ]
    for (const attempt of attempts) {
      storage.break(attempt === attempts[2] ? afterOne(fault) : fault, ['PUT'])
      const answer = await attempt()
      assert.deepEqual([answer.status, answer.code], [status, code])
      await checkFiles(server, storages)
    }
    assert.deepEqual([await listHoldings(server, space.id), await published()], before)
    storage.mend()
    for (const attempt of attempts) assert.equal((await attempt()).status, 200)
    assert.equal((await listHoldings(server, space.id)).ids.length, 4)
  })
}

test('EMOJI-7, IMG-6: a bucket emptied between storing and showing is 503', async () => {
  const before = await published()
  const { ids: shown } = await listHoldings(server, space.id)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const attempts = [
    owner.call('POST', `/api/spaces/${space.id}/emojis`, formOf(['name', 'new'], ['i', picture])),
    owner.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', picture])),
  ]
  await lock.waitForBlocked(2)
  const { ids } = await listHoldings(server, space.id)
  await discard(ids.filter((id) => !shown.includes(id)))
  await lock.release()
  for (const { status, code } of await Promise.all(attempts))
    assert.deepEqual([status, code], [503, 'unavailable'])
  assert.deepEqual((await listHoldings(server, space.id)).ids, shown)
  assert.deepEqual(await published(), before)
})

for (const [what, endIds] of [
  ['deleted', async () => {}],
  ['deleted and emptied', (ids: string[]) => discard(ids)],
] as const) {
  test(`EMOJI-7, IMG-6: a bucket that is ${what} while a picture is stored is 503`, async () => {
    const listIds = async () => (await listHoldings(server, space.id)).ids
    const shown = await listIds()
    for (const attempt of [
      () => owner.call('POST', `/api/spaces/${space.id}/emojis`, formOf(['name', 'new'], ['i', picture])),
      () => owner.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', picture])),
      () => owner.call('POST', `/api/rooms/${space.general}/messages`, formOf(['files', picture])),
    ]) {
      const setDeleted = (isDeleted: boolean) =>
        server.deps.database.execute(sql`
          update storage_buckets set deleted_at = case when ${isDeleted} then now() end, active = ${!isDeleted}
          where tenant_id = ${space.id}`)
      storage.break(
        async ({ serve }) => {
          await setDeleted(true)
          await endIds((await listIds()).filter((id) => !shown.includes(id)))
          await serve()
        },
        ['PUT'],
      )
      const { status, code } = await attempt()
      assert.deepEqual([status, code], [503, 'unavailable'])
      await setDeleted(false)
      assert.deepEqual(await listIds(), shown)
    }
  })
}

test('EMOJI-10: an emoji is deleted while the storage is down, and its object when it is back', async () => {
  storage.break(breakOff, ['DELETE'])
  const [image] = await owner.client.emojis.list(space.id)
  assert.ok(image)
  await owner.client.emojis.delete(space.id, image.id)
  assert.deepEqual(await owner.client.emojis.list(space.id), [])
  await checkFiles(server, storages)
  assert.ok(storage.objects.has(`${space.id}/${image.attachment_id}`))
  storage.mend()
  await checkFilesAtRest(server, storages)
  assert.ok(!storage.objects.has(`${space.id}/${image.attachment_id}`))
})
