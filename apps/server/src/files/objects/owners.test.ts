import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@foyer/sdk/client'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest, listFolderObjects } from '#test/file-consistency.ts'
import { signIn } from '#test/scenes/accounts.ts'
import { awaitPurge } from '#test/scenes/deleted-spaces.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'
import { keyOf } from './rows.ts'

const bytes = Buffer.from('a picture')
const MIGRATION = join(import.meta.dirname, '../../../migrations/0018-files-of-deleted-spaces.sql')
const MAX_WAIT_MS = 30_000
const POLL_MS = 50

let server: TestServer
let owner: Person

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(() => checkFilesAtRest(server).finally(server.close))

async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await isDone())) {
    assert.ok(Date.now() < deadline, what)
    await delay(POLL_MS)
  }
}

test('FILE-14: the files of a room are deleted with it, and those of other rooms stay', async () => {
  const space = await makeSpace(owner)
  const room = await owner.client.rooms.create(space.id, { name: 'short', type: 1 })
  const place = (roomId: string) =>
    placeFile(server, { tenantId: space.id, roomId, messageId: newId(), bytes })
  const gone = [await place(room.id), await place(room.id)]
  const kept = await place(space.general)
  await owner.client.rooms.delete(space.id, room.id)
  await until(async () => {
    const objects = await listFolderObjects(server)
    return gone.every((file) => !objects.has(keyOf(file)))
  }, 'the objects of the room are deleted')
  assert.deepEqual(await listHoldings(server, space.id), { ids: [kept.id], usedBytes: bytes.length })
  await checkFiles(server)
})

test('FILE-14: more files than one run handles are deleted, too', async () => {
  const space = await makeSpace(owner)
  const room = await owner.client.rooms.create(space.id, { name: 'crowded', type: 1 })
  await placeFile(server, { tenantId: space.id, roomId: room.id, messageId: newId(), bytes })
  await server.deps.database.execute(sql`
    with files as (
      insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename,
        content_type, size_bytes)
      select ${space.id}, gen_random_uuid(), ${space.id}, ${owner.id}, 'message', 'live', ${room.id}, gen_random_uuid(),
        'f', 'image/png', 1 from generate_series(1, 1200)
    )
    update storage_buckets set used_bytes = used_bytes + 1200 where tenant_id = ${space.id}`)
  await owner.client.rooms.delete(space.id, room.id)
  await until(async () => (await listHoldings(server, space.id)).usedBytes === 0, 'all room is free')
})

test('FILE-14: the pictures of an account are deleted with it, including a bot’s', async () => {
  const tokens = await signIn(server, 'leaver')
  const leaver = new Client({ baseUrl: server.url, tokens })
  const bot = await createApplicationBot(server, { client: leaver }, { name: 'helper' })
  const files = [
    await placeFile(server, { tenantId: tokens.user.id, purpose: 'avatar', bytes }),
    await placeFile(server, { tenantId: tokens.user.id, purpose: 'banner', state: 'stored', bytes }),
    await placeFile(server, { tenantId: bot.id, purpose: 'avatar', bytes }),
  ]
  await leaver.users.deleteMe({ password: TEST_PASSWORD })
  for (const { id, tenant_id } of files) {
    assert.equal((await server.fetch(`/attachments/${id}`)).status, 404)
    assert.deepEqual(await listHoldings(server, tenant_id), { ids: [], usedBytes: 0 })
  }
  await until(async () => {
    const objects = await listFolderObjects(server)
    return files.every((file) => !objects.has(keyOf(file)))
  }, 'the pictures are deleted')
  await checkFiles(server)
})

test('FILE-14: a user who may not delete their account keeps their pictures', async () => {
  const tokens = await signIn(server, 'stayer')
  const stayer = new Client({ baseUrl: server.url, tokens })
  const file = await placeFile(server, { tenantId: tokens.user.id, purpose: 'avatar', bytes })
  await stayer.spaces.create({ name: 'Mine' })
  await assert.rejects(stayer.users.deleteMe({ password: TEST_PASSWORD }), { code: 'owns_spaces' })
  assert.deepEqual((await listHoldings(server, tokens.user.id)).ids, [file.id])
})

test('FILE-14: the URLs of files of a space are 404 from its deletion on, and its purge deletes them', async () => {
  const space = await makeSpace(owner)
  const file = await placeFile(server, {
    tenantId: space.id,
    roomId: space.general,
    messageId: newId(),
    bytes,
  })
  const address = server.deps.downloads.urlOf(file.id, Date.now())
  assert.equal((await server.fetch(`${address}&stream=1`)).status, 200)
  await owner.client.spaces.delete(space.id)
  for (const path of [address, `${address}&stream=1`])
    assert.equal((await server.fetch(path, { redirect: 'manual' })).status, 404)
  const { status } = await owner.call('POST', `/attachments/${file.id}/resign`)
  assert.ok(status === 403 || status === 404, `${status}`)
  assert.deepEqual((await listHoldings(server, space.id)).ids, [file.id])
  await awaitPurge(server, space.id)
  assert.deepEqual((await listHoldings(server, space.id)).ids, [])
  await until(
    async () => !(await listFolderObjects(server)).has(keyOf({ tenant_id: space.id, id: file.id })),
    'its objects are gone',
  )
})

test('FILE-14: the files of a space that an older version deleted are deleted, too', async () => {
  const space = await makeSpace(owner)
  const file = { tenantId: space.id, roomId: space.general, messageId: newId(), bytes }
  await placeFile(server, file)
  await server.deps.database.execute(sql`update spaces set deleted_at = now() where id = ${space.id}`)
  const text = await readFile(MIGRATION, 'utf8')
  await server.deps.database.execute({ name: 'migration', text, values: [] })
  await server.deps.database.transaction((transaction) => enqueueJob(transaction, 'discard_buckets', {}))
  await until(async () => (await listHoldings(server, space.id)).ids.length === 0, 'its files are deleted')
})
