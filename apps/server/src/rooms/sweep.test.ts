import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { roomJobs } from './jobs.ts'
import { sweptTables } from './sweep-queries.ts'

const MAX_WAIT_MS = 20_000
const POLL_INTERVAL_MS = 50

let server: TestServer
let owner: Person
let guest: Person

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())

/** Counts the room's messages, nonces, read states, overwrites and heads. */
async function countRows(roomId: string): Promise<number[]> {
  const [row] = await server.deps.database.query<Record<string, number>>(sql`
    select (select count(*) from messages where channel_id = ${roomId}) as messages,
      (select count(*) from message_nonces where channel_id = ${roomId}) as nonces,
      (select count(*) from read_states where channel_id = ${roomId}) as read_states,
      (select count(*) from room_overwrites where room_id = ${roomId}) as overwrites,
      (select count(*) from message_heads where channel_id = ${roomId}) as heads`)
  return Object.values(row ?? {})
}

async function awaitEmpty(roomId: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  const isEmpty = async () => (await countRows(roomId)).every((count) => count === 0)
  while (!(await isEmpty()) && Date.now() < deadline) await delay(POLL_INTERVAL_MS)
  assert.deepEqual(await countRows(roomId), [0, 0, 0, 0, 0])
}

async function talk({ general, lounge }: TestSpace): Promise<void> {
  for (const roomId of [general, lounge]) {
    const { id } = await owner.client.messages.create(roomId, { content: 'hi', nonce: 'n' })
    await guest.client.messages.ack(roomId, id)
  }
}

test('ROOM-10: the content of a deleted room is deleted, and nothing of other rooms', async () => {
  const space = await makeSpace(owner, [guest])
  await talk(space)
  const target = { room_id: space.general, target_id: space.id, target_type: 0 }
  const { room_id, target_id, target_type } = target
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    values (${space.id}, ${room_id}, ${target_id}, ${target_type}, 0, 4)`)
  assert.deepEqual(await countRows(space.general), [1, 1, 1, 1, 1])
  await owner.client.rooms.delete(space.id, space.general)
  await awaitEmpty(space.general)
  assert.deepEqual(await countRows(space.lounge), [1, 1, 1, 0, 1])
})

test('ROOM-10: a room with more content than one request could delete disappears at once, and its rows later', async () => {
  const space = await makeSpace(owner)
  const rows = 6000
  await server.deps.database.execute(sql`
    with message as (
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
      select ${space.id}, ${space.general}, gen_random_uuid(), n, ${owner.id}, 'hi', now()
      from generate_series(1, ${rows}::integer) n
      returning id, seq
    ), nonce as (
      insert into message_nonces (tenant_id, channel_id, author_id, nonce, message_id, created_at)
      select ${space.id}, ${space.general}, ${owner.id}, seq::text, id, now() from message
    )
    insert into read_states (user_id, tenant_id, channel_id)
    select id, ${space.id}, ${space.general} from message`)
  assert.deepEqual((await countRows(space.general)).slice(0, 2), [rows, rows])
  await owner.client.rooms.delete(space.id, space.general)
  await awaitEmpty(space.general)
})

test('ROOM-10: sweeping again has no effect', async () => {
  const space = await makeSpace(owner, [guest])
  await talk(space)
  await owner.client.rooms.delete(space.id, space.general)
  await awaitEmpty(space.general)
  const sweep = roomJobs(server.deps).handlers.sweep_room
  await sweep?.({ space_id: space.id, room_id: space.general })
  assert.deepEqual(await countRows(space.lounge), [1, 1, 1, 0, 1])
  assert.equal((await guest.client.messages.list(space.lounge)).length, 1)
})

test('ROOM-10: every table with rows of rooms is swept', async () => {
  // Tables that are cleaned elsewhere: heads with the room, the journal by age, voice states by the event, files and
  // copied pictures by their own sweeps. Reports stay.
  const apart = ['attachments', 'events', 'message_heads', 'preview_picture_uses', 'reports', 'voice_states']
  const tables = await server.deps.database.query<{ name: string }>(sql`
    select relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'channel_id' and relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace
    order by relname`)
  const swept = sweptTables.map(({ texts }) => texts.join(''))
  assert.deepEqual(
    tables.map(({ name }) => name),
    [...apart, ...swept].toSorted(),
  )
})
