import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { Upload } from '@foyer/protocol/attachments'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest, listFolderObjects } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'
import { claimFiles } from './actions.ts'
import { findFile } from './queries.ts'
import { incomingKeyOf } from './rows.ts'
import { sweepFiles } from './sweeper.ts'
import { finishUploads } from './uploads.ts'

const text = Buffer.from('written past the server')

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  // No jobs: the minutely sweep would delete what these tests sweep themselves.
  server = await startTestServer({ services: ['api'] })
  owner = await createPerson(server, 'owner')
})
after(() => checkFilesAtRest(server).finally(server.close))
beforeEach(async () => {
  space = await makeSpace(owner)
})

const sweep = () => sweepFiles(server.deps, new AbortController().signal)

/** Makes the reservation look `hours` old. */
async function age(id: string, hours: number): Promise<void> {
  await server.deps.database.execute(sql`
    update attachments set created_at = created_at - make_interval(hours => ${hours}),
      sweep_at = sweep_at - make_interval(hours => ${hours}),
      incoming_until = incoming_until - make_interval(hours => ${hours})
    where id = ${id}`)
}

async function upload(): Promise<Upload> {
  const announced = { filename: 'notes.txt', size_bytes: text.length, content_type: 'text/plain' }
  const made = await owner.client.attachments.create(space.general, announced)
  await write(made)
  return made
}

async function write({ upload: { url, method, headers } }: Upload): Promise<void> {
  const response = await server.fetch(url, { method, headers, body: text })
  assert.equal(response.status, 200)
}

/** Writes to the incoming key as the upload's sender could in a bucket. The server itself refuses it. */
async function writeLate(file: { tenant_id: string; id: string }): Promise<void> {
  const path = join(server.dataDir, 'late')
  await writeFile(path, 'something else')
  const object = { path, sizeBytes: 'something else'.length, contentType: 'text/plain' }
  await server.deps.stores.own.put(incomingKeyOf(file), object)
}

/** Claims the file as a message naming it would. */
async function claim(id: string): Promise<void> {
  const sender = { tenantId: space.id, channelId: space.general, ownerId: owner.id }
  await finishUploads(server.deps, sender, [id])
  await server.deps.database.transaction((transaction) => claimFiles(transaction, space.id, [id]))
}

const stateOf = async (id: string) => (await findFile(server.deps.database, id))?.state

test('FILE-12: an upload that no message claims within 24 hours is deleted with its object, and its space is freed', async () => {
  const { attachment_id: id } = await upload()
  await age(id, 23)
  await sweep()
  assert.equal(await stateOf(id), 'reserved')
  assert.equal((await listFolderObjects(server)).size, 1)
  await age(id, 1)
  await sweep()
  await sweep()
  assert.equal(await stateOf(id), 'removed')
  assert.equal((await listFolderObjects(server)).size, 0)
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
  await checkFiles(server)
})

test('FILE-12: a file that came through the server and was never shown is deleted, too', async () => {
  const { id } = await placeFile(server, { tenantId: space.id, state: 'stored', bytes: text })
  await age(id, 25)
  await sweep()
  assert.equal(await stateOf(id), 'removed')
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
  await checkFiles(server)
})

test('FILE-12: an upload claimed at the last moment stays', async () => {
  const { id } = await placeFile(server, { tenantId: space.id, state: 'stored', bytes: text })
  await age(id, 25)
  const lock = await holdLock(
    server,
    sql`update attachments set state = 'live', sweep_at = null where id = ${id}`,
  )
  const sweeping = sweep()
  await lock.waitForBlocked(1)
  await lock.release()
  await sweeping
  assert.equal(await stateOf(id), 'live')
  await checkFiles(server)
})

test('FILE-12: an upload that expires at the last moment cannot be claimed', async () => {
  const { id } = await placeFile(server, { tenantId: space.id, state: 'stored', bytes: text })
  await age(id, 25)
  await sweep()
  const claiming = server.deps.database.transaction((transaction) => claimFiles(transaction, space.id, [id]))
  await assert.rejects(claiming, { code: 'unknown_attachment' })
  await checkFiles(server)
})

test('FILE-12: data written after a message claimed the upload changes nothing, and is deleted once the URL has expired', async () => {
  const { attachment_id: id } = await upload()
  await claim(id)
  const file = { tenant_id: space.id, id }
  assert.equal((await listFolderObjects(server)).has(incomingKeyOf(file)), false)
  await writeLate(file)
  const download = await server.fetch(`${server.deps.downloads.urlOf(id, Date.now())}&stream=1`)
  assert.equal(await download.text(), text.toString())
  await sweep()
  assert.equal((await listFolderObjects(server)).has(incomingKeyOf(file)), true)
  await age(id, 2)
  await sweep()
  assert.equal((await listFolderObjects(server)).has(incomingKeyOf(file)), false)
  assert.equal(await stateOf(id), 'live')
  await checkFiles(server)
})
