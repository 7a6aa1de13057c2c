import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitPurge } from '#test/scenes/deleted-spaces.ts'
import { codeOf, note, postForm } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'

const LIMIT_BYTES = 1000
const GIB = 1024 ** 3

let server: TestServer
let owner: Person
let member: Person
let first: TestSpace
let second: TestSpace

before(async () => {
  server = await startTestServer({ ownerStorageBytes: LIMIT_BYTES })
})
after(() => checkFilesAtRest(server).finally(server.close))
beforeEach(async () => {
  owner = await createPerson(server, `owner${newId().slice(-8)}`)
  member = await createPerson(server, `member${newId().slice(-8)}`)
  first = await makeSpace(owner, [member])
  second = await makeSpace(owner, [member])
})

const reserve = (space: TestSpace, size_bytes: number) =>
  codeOf(
    member.call('POST', `/api/rooms/${space.general}/attachments`, {
      filename: 'a.bin',
      size_bytes,
      content_type: 'application/x-raw',
    }),
  )
const transfer = (space: TestSpace, to: Person) =>
  codeOf(owner.call('POST', `/api/spaces/${space.id}/transfer`, { user_id: to.id }))
const ownerLock = () =>
  holdLock(server, sql`select pg_advisory_xact_lock(hashtextextended('files of ' || ${owner.id}, 0))`)

test('FILE-20: the files of several spaces of one owner count together, whoever uploads them', async () => {
  assert.equal(await reserve(first, 600), 200)
  const refused = await member.call('POST', `/api/rooms/${second.general}/attachments`, {
    filename: 'a.bin',
    size_bytes: 401,
    content_type: 'application/x-raw',
  })
  assert.deepEqual([refused.status, refused.code], [413, 'storage_full'])
  assert.deepEqual(refused.body, {
    error: 'the file is over the storage limit that all spaces of this owner share',
  })
  assert.deepEqual(await listHoldings(server, second.id), { ids: [], usedBytes: 0 })
  assert.equal(await reserve(second, 400), 200)
  assert.equal(await reserve(await makeSpace(member), 1000), 200)
})

test('FILE-20: files of a form count, too, in included storage as in each space’s part', async () => {
  await addStorage(server, first.id)
  assert.equal(await reserve(first, 990), 200)
  const send = (text: string) => codeOf(postForm(member, second.general, formOf(['files', note(text)])))
  assert.equal(await send('eleven long'), '413 storage_full')
  assert.equal(await send('ten letter'), 200)
})

test('FILE-20: simultaneous uploads to two spaces of one owner do not exceed the limit together', async () => {
  assert.equal(await reserve(first, 500), 200)
  // Each upload waits after its check: one for the table, the other for the owner.
  const lock = await holdLock(server, sql`lock table attachments in share mode`)
  const uploads = Promise.all([reserve(first, 300), reserve(second, 300)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await uploads).toSorted(), [200, '413 storage_full'])
})

test('FILE-20: a deleted space counts until it is purged', async () => {
  await placeFile(server, { tenantId: first.id, roomId: first.general, messageId: newId(), bytes: text(900) })
  await owner.client.spaces.delete(first.id)
  assert.equal(await reserve(second, 101), '413 storage_full')
  await awaitPurge(server, first.id)
  await checkFilesAtRest(server)
  assert.equal(await reserve(second, 1000), 200)
})

test('FILE-20: a bucket that a space brings does not count', async () => {
  const id = newId()
  await server.deps.database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind, name, used_bytes) values (${first.id}, ${id}, 's3', 'Theirs', 5000)`)
  assert.equal(await reserve(second, 1000), 200)
  await server.deps.database.execute(sql`delete from storage_buckets where id = ${id}`)
})

test('FILE-21: a space can only be transferred to a person with room for its files, and counts for them from then on', async () => {
  const theirs = await makeSpace(member, [owner])
  assert.equal(await reserve(first, 600), 200)
  assert.equal(await reserve(theirs, 401), 200)
  assert.equal(await transfer(first, member), '413 storage_full')
  assert.equal((await owner.client.spaces.get(first.id)).owner_id, owner.id)
  assert.equal(await transfer(second, member), 200)
  const other = await createPerson(server, `other${newId().slice(-8)}`)
  await join(other, owner, first)
  assert.equal(await transfer(first, other), 200)
  assert.equal(await reserve(await makeSpace(owner, [member]), 1000), 200)
})

test('FILE-21: an upload that waits for a transfer counts for the new owner', async () => {
  const lock = await ownerLock()
  const moved = transfer(first, member)
  await lock.waitForBlocked(1)
  const upload = reserve(first, 700)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.equal(await moved, 200)
  assert.equal(await upload, 200)
  assert.equal(await reserve(second, 1000), 200)
  assert.equal(await reserve(await makeSpace(member), 301), '413 storage_full')
})

test('FILE-20: the limit is five times that of one space by default, and none if that is unlimited', () => {
  const limitOf = (environment: Record<string, string>) => readConfig(environment).ownerStorageBytes
  assert.equal(limitOf({}), 30 * GIB)
  assert.equal(limitOf({ INCLUDED_STORAGE_BYTES: '10', DEFAULT_STORAGE_BYTES: '2' }), 60)
  assert.equal(limitOf({ DEFAULT_STORAGE_BYTES: '0' }), undefined)
  assert.equal(limitOf({ OWNER_STORAGE_BYTES: '0' }), undefined)
  assert.equal(limitOf({ OWNER_STORAGE_BYTES: '7', DEFAULT_STORAGE_BYTES: '0' }), 7)
})

function text(sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, 'x')
}
