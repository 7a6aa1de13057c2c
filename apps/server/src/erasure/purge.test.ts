import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { tableSpread } from '#src/kernel/database/table-spread.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { listFolderObjects, passTime } from '#test/file-consistency.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { awaitPurge, endRestoring, isThere } from '#test/scenes/deleted-spaces.ts'
import { type FullSpace, fillSpace } from '#test/scenes/full-space.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { listTablesWith } from '#test/table-scan.ts'
import { until } from '#test/until.ts'
import { erasureJobs } from './jobs.ts'
import { purgeSpace } from './purge.ts'
import { purgedTables, sweptElsewhere } from './purged-tables.ts'

let server: TestServer
let s3: FakeS3
let owner: Person
let member: Person
/** The space of a test that needs one. */
let space: FullSpace
let count = 0

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
})

async function makeFullSpace(): Promise<void> {
  space = await fillSpace(server, { owner, member }, s3)
}

const idsOf = ({ id, rooms, messageId }: FullSpace) => [id, messageId, ...rooms.map((room) => room.id)]

/** The journal goes by its age, within a day and a half. */
async function dropJournal(): Promise<void> {
  await server.deps.database.execute(sql`delete from events`)
}

async function listObjects(): Promise<string[]> {
  const keys = [...s3.objects.keys(), ...(await listFolderObjects(server)).keys()]
  return keys.filter((key) => key.includes(space.id))
}

test('ERASE-1: after its time nothing of a deleted space is left in any table or storage', async () => {
  await makeFullSpace()
  const other = await fillSpace(server, { owner, member }, s3)
  assert.ok((await listObjects()).length >= 3)
  const before = await listTablesWith(server, idsOf(space))
  for (const name of [
    'messages',
    'members',
    'pins',
    'reactions',
    'read_states',
    'reports',
    'attachments',
    'bans',
  ])
    assert.ok(before.includes(name), name)
  await owner.client.spaces.delete(space.id)
  await awaitPurge(server, space.id)
  await passTime(server)
  await server.deps.database.execute(sql`update attachments set sweep_at = now() where state = 'removed'`)
  await passTime(server)
  await dropJournal()
  assert.deepEqual(await listObjects(), [])
  const left = await listTablesWith(server, idsOf(space))
  assert.deepEqual(left, [])
  assert.equal((await owner.client.messages.get(other.general, other.messageId)).content, 'kettle')
  assert.equal((await server.fetch(other.fileUrl)).status, 200)
})

test('ERASE-1: every table of tenants is purged, or listed with the reason why it is not', () => {
  const tenantTables = Object.entries(tableSpread).flatMap(([name, spread]) =>
    spread.by === 'tenant' ? [name] : [],
  )
  const known = [...purgedTables.map(({ name }) => name), ...Object.keys(sweptElsewhere)]
  assert.deepEqual(known.toSorted(), tenantTables.toSorted())
})

test('ERASE-1: every other table with the id of a space, room or message is known', async () => {
  const columns = ['space_id', 'tenant_id', 'room_id', 'channel_id', 'queue_id', 'message_id']
  const rows = await server.deps.database.query<{ name: string }>(sql`
    select distinct relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = any(${columns}) and relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace order by name`)
  const others = rows.map(({ name }) => name).filter((name) => tableSpread[name]?.by !== 'tenant')
  // Each has a statement of its own in the purge.
  assert.deepEqual(others, ['read_states', 'reports', 'voice_states'])
})

test('ERASE-2: until its time is over, a deleted space keeps its rows and objects, and its files answer 404', async () => {
  await makeFullSpace()
  const objects = await listObjects()
  await owner.client.spaces.delete(space.id)
  await erasureJobs(server.deps).handlers.purge_spaces?.({})
  await purgeSpace(server.deps.database, space.id)
  await passTime(server)
  assert.deepEqual((await listObjects()).toSorted(), objects.toSorted())
  assert.ok((await listTablesWith(server, [space.messageId])).includes('messages'))
  assert.equal((await server.fetch(space.fileUrl)).status, 404)
})

test('ERASE-3: a purge that is interrupted continues with what is left', async () => {
  await makeFullSpace()
  await owner.client.spaces.delete(space.id)
  await endRestoring(server, space.id)
  const aborted = new AbortController()
  const first = purgeSpace(server.deps.database, space.id, aborted.signal)
  aborted.abort()
  await first
  const stop = AbortSignal.abort()
  assert.equal(await purgeSpace(server.deps.database, space.id, stop), true)
  assert.equal(await isThere(server, space.id), true)
  await awaitPurge(server, space.id)
  assert.deepEqual(await listTablesWith(server, [space.messageId]), ['attachments', 'events'])
})

test('ERASE-3: several processes purge a space together without failing', async () => {
  await makeFullSpace()
  await owner.client.spaces.delete(space.id)
  await endRestoring(server, space.id)
  const run = async () => {
    while (await purgeSpace(server.deps.database, space.id)) {}
  }
  await Promise.all([run(), run(), run()])
  assert.equal(await isThere(server, space.id), false)
})

test('ERASE-3: more rows than one batch has are purged, and those of other spaces stay', async () => {
  await makeFullSpace()
  const kept = await makeSpace(owner)
  for (const { id, general } of [space, kept])
    await server.deps.database.execute(sql`
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
      select ${id}, ${general}, gen_random_uuid(), n + 1000, ${owner.id}, 'hi', now() from generate_series(1, 2500) n`)
  await owner.client.spaces.delete(space.id)
  await awaitPurge(server, space.id)
  const counts = await server.deps.database.query<{ tenant_id: string; count: number }>(sql`
    select tenant_id, count(*) from messages where tenant_id = any(${[space.id, kept.id]}) group by tenant_id`)
  assert.deepEqual(counts, [{ tenant_id: kept.id, count: 2500 }])
})

test('ERASE-1: a download under way goes on while its file is purged', async () => {
  const { id } = await makeSpace(owner)
  const file = Buffer.alloc(4_000_000, 7)
  const { rooms } = await owner.client.spaces.create({ name: 'Big' })
  const room = rooms.find(({ type }) => type === 1)
  assert.ok(room)
  const sent = await owner.client.messages.createWithFiles(room.id, {}, [new File([file], 'big.bin')])
  const answer = await server.fetch(`${sent.attachments[0]?.url}&stream=1`)
  assert.equal(answer.status, 200)
  await owner.client.spaces.delete(room.space_id)
  await awaitPurge(server, room.space_id)
  await passTime(server)
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(file))
  assert.equal(await isThere(server, id), true)
})

test('ERASE-3: a space that an earlier version deleted is purged at once', async () => {
  await makeFullSpace()
  await owner.client.spaces.delete(space.id)
  await server.deps.database.execute(sql`update spaces set restorable_until = null where id = ${space.id}`)
  const ada = await createOperator(server, 'ada')
  assert.deepEqual(await ada.client.api(Administration).findSpaces({ query: space.id, deleted: true }), [])
  for (const [method, path] of [
    ['POST', 'restore'],
    ['PUT', 'hold'],
  ] as const)
    assert.equal((await ada.call(method, `/api/operator/spaces/${space.id}/${path}`)).code, 'unknown_space')
  await erasureJobs(server.deps).handlers.purge_spaces?.({})
  await until(async () => !(await isThere(server, space.id)), 'the space is purged')
})
