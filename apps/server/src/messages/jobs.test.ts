import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite, listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { messageJobs } from './jobs.ts'

const HOUR_MS = 3_600_000
const DAY_SECONDS = 86_400
/** Longer than the retry delay of a failed job. */
const MAX_WAIT_MS = 12_000

let server: TestServer
let owner: Person
let pest: Person
let friend: Person
let space: TestSpace

before(async () => {
  server = await startOwnServer()
  owner = await createPerson(server, 'owner')
  pest = await createPerson(server, 'pest')
  friend = await createPerson(server, 'friend')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [pest, friend])
})

const say = async (person: Person, roomId: string, content: string) =>
  (await person.client.messages.create(roomId, { content })).id

interface Crowd {
  roomId: string
  author: Person
  /** Creation time of the messages, in milliseconds since 1970. */
  time: number
  count: number
}

/** Inserts messages into a room after its others, one millisecond apart. */
async function insertMessages({ roomId, author, time, count }: Crowd): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => firstIdAt(time + index))
  await server.deps.database.execute(sql`
    with head as (
      update message_heads set last_seq = last_seq + ${count}::integer, last_message_id = ${ids.at(-1)}
      where channel_id = ${roomId} returning last_seq - ${count}::integer as seq
    )
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${roomId}, id, seq + place, ${author.id}, 'many', now()
    from head, unnest(${ids}::uuid[]) with ordinality as given (id, place)`)
  return ids
}

async function idsIn(roomId: string): Promise<string[]> {
  const rows = await server.deps.database.query<{ id: string }>(
    sql`select id from messages where tenant_id = ${space.id} and channel_id = ${roomId} order by seq`,
  )
  return rows.map(({ id }) => id)
}

/** Returns the ids of each MESSAGE_DELETE_BULK of the room, in journal order. */
async function bulksIn(roomId: string): Promise<string[][]> {
  const journal = await listJournal(server, topicOf.room(space.id, roomId))
  const bulks = journal.filter(({ name }) => name === 'MESSAGE_DELETE_BULK')
  for (const { data } of bulks) {
    const place = { room_id: roomId, conversation_id: null, space_id: space.id }
    const { ids, messages, ...told } = Object(data)
    assert.deepEqual(told, place)
    assert.deepEqual(
      messages.map(({ id }: { id: string }) => id),
      ids,
    )
  }
  return bulks.map(({ data }) => Object(data).ids)
}

async function awaitJobs(): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  let left = await countJobs()
  while (left > 0 && Date.now() < deadline) {
    await delay(10)
    left = await countJobs()
  }
  assert.equal(left, 0, 'the jobs are done')
}

async function countJobs(): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from graphile_worker.jobs where task_identifier like 'delete_messages_%'`)
  return row?.count ?? 0
}

async function headOf(roomId: string): Promise<[number, string | null]> {
  const room = (await owner.client.rooms.list(space.id)).find(({ id }) => id === roomId)
  return [room?.last_seq ?? -1, room?.last_message_id ?? null]
}

test('BAN-10: the user’s messages of that time are deleted in every room; older ones and those of others stay', async () => {
  const [old] = await insertMessages({
    roomId: space.general,
    author: pest,
    time: Date.now() - HOUR_MS,
    count: 1,
  })
  const kept = [old, await say(friend, space.general, 'hi')]
  const general = [await say(pest, space.general, 'spam'), await say(pest, space.general, 'more')]
  kept.push(await say(owner, space.general, 'stop it'))
  const lounge = [await say(pest, space.lounge, 'spam')]
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: 1800 })
  await awaitJobs()
  assert.deepEqual(await idsIn(space.general), kept)
  assert.deepEqual(await idsIn(space.lounge), [])
  assert.deepEqual([await bulksIn(space.general), await bulksIn(space.lounge)], [[general], [lounge]])
  assert.deepEqual(await headOf(space.general), [5, kept.at(-1)])
  assert.deepEqual(await headOf(space.lounge), [1, null])
})

test('BAN-10: messages stay without delete_seconds, and are deleted for a user who was no longer a member, too', async () => {
  const said = await say(pest, space.general, 'spam')
  await pest.client.members.leave(space.id)
  await owner.client.bans.create(space.id, pest.id)
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: 0 })
  await awaitJobs()
  assert.deepEqual(await idsIn(space.general), [said])
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: DAY_SECONDS })
  await awaitJobs()
  assert.deepEqual(await idsIn(space.general), [])
})

test('BAN-10: at most 100 are deleted at a time, however many others are between them', async () => {
  const { general } = space
  const said: string[] = []
  const others: string[] = []
  const insert = async (author: Person, count: number, hoursAgo: number) =>
    insertMessages({ roomId: general, author, time: Date.now() - hoursAgo * HOUR_MS, count })
  said.push(...(await insert(pest, 130, 4)))
  others.push(...(await insert(friend, 5_100, 3)))
  said.push(...(await insert(pest, 120, 2)))
  others.push(await say(friend, general, 'last'))
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: DAY_SECONDS })
  await awaitJobs()
  const bulks = await bulksIn(general)
  assert.deepEqual(bulks.flat(), said)
  assert.equal(bulks[0]?.length, 100)
  assert.ok(bulks.every(({ length }) => length <= 100))
  assert.deepEqual(await idsIn(general), others)
  assert.deepEqual(await headOf(general), [5_351, others.at(-1)])
})

test('BAN-10: deletions in a hidden room reach only those who may view it', async () => {
  await say(pest, space.general, 'spam')
  await insertOverwrite(server, space.id, {
    room_id: space.general,
    target_id: friend.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const [viewer, other] = [await connect(server, owner), await connect(server, friend)]
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: DAY_SECONDS })
  await viewer.findEvent('MESSAGE_DELETE_BULK')
  await other.settle()
  assert.equal(other.heard('SPACE_MEMBER_DELETE').length, 1)
  assert.equal(other.heard('MESSAGE_DELETE_BULK').length, 0)
  for (const client of [viewer, other]) client.close()
})

test('BAN-10: later messages of a user who was let in again stay, however late the job runs', async () => {
  const spam = await say(pest, space.general, 'spam')
  const lock = await holdLock(
    server,
    sql`select from message_heads where channel_id = ${space.general} for update`,
  )
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: DAY_SECONDS })
  await lock.waitForBlocked(1)
  const payload = await payloadOf('delete_messages_of_users_in_room')
  await lock.release()
  await awaitJobs()
  await owner.client.bans.delete(space.id, pest.id)
  await join(pest, owner, space)
  const sorry = await say(pest, space.general, 'sorry')
  await messageJobs(server.deps).handlers.delete_messages_of_users_in_room?.(payload)
  assert.deepEqual(await idsIn(space.general), [sorry])
  assert.deepEqual(await bulksIn(space.general), [[spam]])
})

/** Returns the payload of a running job. */
async function payloadOf(name: string): Promise<unknown> {
  const [job] = await server.deps.database.query<{ payload: unknown }>(sql`
    select payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where identifier = ${name} and payload ->> 'room_id' = ${space.general}`)
  assert.ok(job)
  return job.payload
}

test('BAN-11: the deletion continues after an interrupted run', async () => {
  const said = await insertMessages({
    roomId: space.general,
    author: pest,
    time: Date.now() - HOUR_MS,
    count: 130,
  })
  const lock = await holdLock(
    server,
    sql`select from message_heads where channel_id = ${space.general} for update`,
  )
  await owner.client.bans.create(space.id, pest.id, { delete_seconds: DAY_SECONDS })
  await lock.waitForBlocked(1)
  await server.deps.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  await lock.release()
  assert.deepEqual(await idsIn(space.general), said)
  await awaitJobs()
  assert.deepEqual(await idsIn(space.general), [])
  assert.deepEqual((await bulksIn(space.general)).flat(), said)
})

test('BAN-11: deleting twice publishes nothing twice', async () => {
  const [spam, kept] = [await say(pest, space.general, 'spam'), await say(friend, space.general, 'hi')]
  const given = {
    space_id: space.id,
    user_id: pest.id,
    after: firstIdAt(Date.now() - HOUR_MS),
    before: newId(),
  }
  const { handlers } = messageJobs(server.deps)
  const run = (name: string, payload: object) => handlers[name]?.(payload) ?? Promise.reject(name)
  const inRoom = { ...given, room_id: space.general }
  await Promise.all([run('delete_messages_in_room', inRoom), run('delete_messages_in_room', inRoom)])
  await run('delete_messages_of', given)
  await awaitJobs()
  assert.deepEqual(await bulksIn(space.general), [[spam]])
  assert.deepEqual(await idsIn(space.general), [kept])
})
