import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Owner, signUpOwner } from '#test/scenes/exports.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { exportSpace, importSpace, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Owner
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

async function start(roomId: string, body: object): Promise<string> {
  const { status, body: thread } = await member.call('POST', `/api/rooms/${roomId}/threads`, body)
  assert.equal(status, 201)
  return Object(thread).id
}

const threadsIn = async (roomId: string) =>
  Object((await member.call('GET', `/api/rooms/${roomId}/threads`)).body).threads

test('TROOM-15: threads and their messages are in the archive of a space, and come back', async () => {
  const starter = await member.client.messages.create(space.general, { content: 'starter' })
  const one = await start(space.general, { title: 'One', message_id: starter.id, quiet_minutes: 0 })
  await start(space.general, { title: 'Empty' })
  const first = await owner.client.messages.create(one, { content: 'inside' })
  await member.client.messages.create(one, { content: 'answer', reference: { message_id: first.id } })
  await member.call('PATCH', `/api/threads/${one}`, { is_closed: true })
  await owner.client.rooms.update(space.id, space.general, { replies: 'threads' })
  const archive = await exportSpace(server, owner, space.id)
  const { files } = await unpackSpace(archive)
  const manifest = JSON.parse(`${files.get('manifest.json')}`)
  assert.deepEqual([manifest.version, manifest.counts.threads], [3, 2])
  const imported = await importSpace(member, archive)
  assert.equal(imported.failure, null)
  const rooms = await member.client.rooms.list(imported.space_id ?? '')
  const general = rooms.find(({ name }) => name === 'general')
  assert.equal(general?.replies, 'threads')
  const threads = await threadsIn(general?.id ?? '')
  const shown = threads.map(
    ({ title, message_count, is_closed, creator_id, quiet_minutes }: Record<string, unknown>) => [
      ...[title, message_count, is_closed, creator_id, quiet_minutes],
    ],
  )
  assert.deepEqual(shown.toSorted(), [
    ['Empty', 0, false, member.id, 4320],
    ['One', 2, true, member.id, 0],
  ])
  const back = threads.find(({ title }: { title: string }) => title === 'One')
  const texts = (await member.client.messages.list(back.id)).map(({ content }) => content)
  assert.deepEqual(texts, ['answer', 'inside'])
  const [begun] = await member.client.messages.list(general?.id ?? '')
  assert.deepEqual([back.starter_message_id, begun?.content], [begun?.id, 'starter'])
  const [answer] = await member.client.messages.list(back.id, { limit: 1 })
  assert.equal(answer?.referenced_message?.content, 'inside')
  const found = await member.client.search.space(imported.space_id ?? '', { query: 'inside' })
  assert.equal(found.messages.length, 1)
})

test('TROOM-15: a space without threads has the version that older servers take', async () => {
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const manifest = JSON.parse(`${files.get('manifest.json')}`)
  assert.deepEqual([manifest.version, manifest.counts.threads], [1, undefined])
})

test('TROOM-15: threads share files, in the order of their ids, whatever their number and length', async () => {
  const { database } = server.deps
  const threads = await database.query<{ id: string }>(sql`
    insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, message_count)
    select ${space.id}, gen_random_uuid(), ${space.general}, 'thread ' || number, ${owner.id}, 60,
      case number when 1 then 1500 when 2 then 0 else 1 end
    from generate_series(1, 1100) as number returning id`)
  const [long, , ...short] = threads.map(({ id }) => id)
  const channelIds = [...Array.from({ length: 1500 }, () => long ?? ''), ...short]
  await database.execute(sql`
    with head as (
      insert into message_heads (tenant_id, channel_id)
      select ${space.id}, id from unnest(${threads.map(({ id }) => id)}::uuid[]) as id
    )
    insert into messages (tenant_id, channel_id, parent_id, id, seq, author_id, content, created_at)
    select ${space.id}, channel_id, ${space.general}, id, number, ${owner.id}, 'message ' || number, now()
    from unnest(${channelIds}::uuid[], ${channelIds.map(() => newId())}::uuid[]) with ordinality
      as message (channel_id, id, number)`)
  const archive = await exportSpace(server, owner, space.id)
  const { files } = await unpackSpace(archive)
  const names = [...files.keys()].filter((name) => name.startsWith('thread'))
  assert.deepEqual(names.toSorted(), [
    'thread-messages/000001.ndjson',
    'thread-messages/000002.ndjson',
    'thread-messages/000003.ndjson',
    'threads/000001.ndjson',
    'threads/000002.ndjson',
  ])
  const lines = names
    .toSorted()
    .flatMap((name) => `${files.get(name)}`.split('\n').filter((line) => line !== ''))
  assert.equal(lines.length, 1500 + 1098 + 1100)
  const imported = await importSpace(member, archive)
  assert.equal(imported.failure, null)
  const [row] = await database.query<{ longest: number; count: number; total: number }>(sql`
    select max(message_count) as longest, count(*) as count, sum(message_count)::float8 as total
    from thread_rooms where space_id = ${imported.space_id}`)
  assert.deepEqual(row, { longest: 1500, count: 1100, total: 2598 })
})
