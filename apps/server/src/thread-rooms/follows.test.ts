import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_FOLLOWED_THREADS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let space: TestSpace
let people = 0

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada, [])
})
after(() => server.close())

/** Creates a person who has just joined. */
async function newcomer(): Promise<Person> {
  people += 1
  const person = await createPerson(server, `newcomer${people}`)
  await join(person, ada, space)
  return person
}

const say = (person: Person, threadId: string, content = 'words') =>
  person.client.messages.create(threadId, { content })
const follow = (person: Person, id: string, level = 'all') =>
  person.call('PUT', `/api/threads/${id}/follow`, { level })
const unreadOf = async (person: Person) =>
  (await person.client.api(ThreadRooms).listFollowed({ unread: true })).threads.map(({ id }) => id)

/** Returns the number of unread threads in READY. */
async function countFor(person: Person): Promise<number> {
  const client = await connectForThreads(server, person)
  client.close()
  return Object(client.heard('READY')[0]?.d).followed_thread_count_unread
}

async function oldThread(): Promise<string> {
  const { id } = await startThread(ada, space.general)
  for (const text of ['one', 'two', 'three']) await say(ada, id, text)
  return id
}

test('TROOM-10: who follows an old thread has read it: REST, READY and events agree', async () => {
  const eve = await newcomer()
  const id = await oldThread()
  const listener = await connectForThreads(server, eve)
  const answer = await follow(eve, id)
  assert.deepEqual(answer.body, { follow: 'all', read_seq: 3, unread_count: 0, mention_count: 0 })
  assert.deepEqual((await readThread(eve, id)).own, answer.body)
  assert.deepEqual([await countFor(eve), await unreadOf(eve)], [0, []])
  await listener.settle()
  listener.close()
  assert.deepEqual(
    listener.heard('THREAD_FOLLOW_UPDATE').map(({ d }) => d),
    [{ thread_id: id, follow: 'all', read_seq: 3, unread_count: 0, mention_count: 0 }],
  )
  await say(ada, id, 'four')
  assert.deepEqual([await countFor(eve), await unreadOf(eve)], [1, [id]])
})

test('TROOM-10: who writes in an old thread has read what is before their message', async () => {
  const eve = await newcomer()
  const id = await oldThread()
  await say(eve, id)
  assert.equal((await readThread(eve, id)).own.read_seq, 4)
  assert.equal(await countFor(eve), 0)
})

test('TROOM-10: a thread is unread from the first mention on', async () => {
  const eve = await newcomer()
  const id = await oldThread()
  await say(ada, id, `<@${eve.id}>`)
  await say(ada, id, 'after')
  assert.deepEqual((await readThread(eve, id)).own, {
    follow: 'all',
    read_seq: 3,
    unread_count: 2,
    mention_count: 1,
  })
  assert.deepEqual([await countFor(eve), await unreadOf(eve)], [1, [id]])
})

/** Starts a thread whose first message mentions the person, who does not read it, and follows it no longer. */
async function leftThread(person: Person): Promise<string> {
  const { id } = await startThread(ada, space.general)
  for (const text of [`<@${person.id}>`, 'later']) await say(ada, id, text)
  assert.equal((await person.call('DELETE', `/api/threads/${id}/follow`)).status, 204)
  return id
}

test('TROOM-10: who writes in a thread or asks to follow it has read it, mentions of them included', async () => {
  const eve = await newcomer()
  const [written, asked] = [await leftThread(eve), await leftThread(eve)]
  await say(eve, written)
  await follow(eve, asked)
  const own = { follow: 'all', unread_count: 0, mention_count: 0 }
  assert.deepEqual((await readThread(eve, written)).own, { ...own, read_seq: 3 })
  assert.deepEqual((await readThread(eve, asked)).own, { ...own, read_seq: 2 })
  const room = await ada.client.rooms.create(space.id, { name: 'moved from', type: 1 })
  const mention = await say(ada, room.id, `<@${eve.id}>`)
  const { id } = await startThread(ada, room.id)
  await ada.client.api(ThreadRooms).move(id, [mention.id])
  await follow(eve, id)
  assert.deepEqual((await readThread(eve, id)).own, { ...own, read_seq: 1 })
})

test('TROOM-10: another level leaves a followed thread as unread as it was', async () => {
  const eve = await newcomer()
  const { id } = await startThread(ada, space.general)
  await say(ada, id, `<@${eve.id}>`)
  await follow(eve, id, 'mentions')
  const own = { follow: 'mentions', read_seq: 0, unread_count: 1, mention_count: 1 }
  assert.deepEqual((await readThread(eve, id)).own, own)
})

test('TROOM-10: following anew leaves what was read and what was not', async () => {
  const eve = await newcomer()
  const id = await oldThread()
  const [, oldest] = (await eve.client.messages.list(id)).toReversed()
  await eve.client.messages.ack(id, oldest?.id ?? '')
  await follow(eve, id)
  assert.equal((await readThread(eve, id)).own.read_seq, 2)
})

test('TROOM-16: READY and the list agree about muted threads, blocked people and hidden rooms', async () => {
  const [eve, bob] = [await newcomer(), await newcomer()]
  const room = await ada.client.rooms.create(space.id, { name: 'soon hidden', type: 1 })
  const threads = [await startThread(ada, space.general), await startThread(ada, room.id)]
  const [here, there] = threads.map(({ id }) => id)
  assert.ok(here && there)
  for (const id of [here, there]) await follow(eve, id)
  await say(bob, here)
  await say(ada, there)
  const both = async () => [await countFor(eve), await unreadOf(eve)]
  assert.deepEqual(await both(), [2, [there, here]])
  await eve.client.friends.block(bob.id)
  assert.deepEqual(await both(), [1, [there]])
  await eve.client.friends.unblock(bob.id)
  await follow(eve, here, 'muted')
  assert.deepEqual(await both(), [1, [there]])
  await ada.client.overwrites.upsert(space.id, room.id, {
    ...{ target_id: space.id, target_type: 0, allow_flags: 0 },
    deny_flags: Permission.ViewChannels,
  })
  assert.deepEqual(await both(), [0, []])
  assert.equal((await eve.client.api(ThreadRooms).listFollowed({})).threads.length, 1)
})

/** Lets the user follow further threads, whose activity is older than that of all others. */
const followMany = (userId: string, count: number) =>
  server.deps.database.execute(sql`
    with thread as (
      insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, active_at)
      select ${space.id}, gen_random_uuid(), ${space.general}, 'thread ' || number, ${ada.id}, 60,
        now() - make_interval(days => number)
      from generate_series(1, ${count}::integer) as number returning id
    ),
    head as (insert into message_heads (tenant_id, channel_id) select ${space.id}, id from thread)
    insert into thread_follows (user_id, thread_id, space_id, level)
    select ${userId}, id, ${space.id}, 'all' from thread`)

test('TROOM-10: a thread too many takes the place of the least active', async () => {
  const eve = await newcomer()
  await followMany(eve.id, MAX_FOLLOWED_THREADS)
  const listener = await connectForThreads(server, eve)
  const lost: string[] = []
  for (const person of [eve, ada]) {
    const [oldest] = await server.deps.database.query<{ id: string }>(sql`
      select id from thread_rooms join thread_follows on thread_id = id
      where user_id = ${eve.id} order by active_at limit 1`)
    const { id } = await startThread(person, space.general)
    if (person === ada) await say(ada, id, `<@${eve.id}>`)
    assert.equal((await readThread(eve, id)).own.follow, 'all')
    lost.push(oldest?.id ?? '')
  }
  await listener.settle()
  listener.close()
  const told = listener.heard('THREAD_FOLLOW_UPDATE').filter(({ d }) => Object(d).follow === null)
  assert.deepEqual(
    told.map(({ d }) => Object(d).thread_id),
    lost,
  )
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from thread_follows where user_id = ${eve.id}`)
  assert.equal(row?.count, MAX_FOLLOWED_THREADS)
})

test('TROOM-10: a thread with the oldest activity is followed when asked for', async () => {
  const eve = await newcomer()
  await followMany(eve.id, MAX_FOLLOWED_THREADS)
  const { id } = await startThread(ada, space.general)
  await server.deps.database.execute(sql`update thread_rooms set active_at = 'epoch' where id = ${id}`)
  await follow(eve, id)
  assert.equal((await readThread(eve, id)).own.follow, 'all')
})

test('TROOM-10: mentions in one space take away one thread of another at most', async () => {
  const eve = await newcomer()
  await followMany(eve.id, MAX_FOLLOWED_THREADS)
  const other = await makeSpace(ada, [])
  await join(eve, ada, other)
  for (let count = 0; count < 3; count += 1) {
    const { id } = await startThread(ada, other.general)
    await say(ada, id, `<@${eve.id}>`)
    assert.equal((await readThread(eve, id)).own.follow, 'all')
  }
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from thread_follows where user_id = ${eve.id} and space_id = ${space.id}`)
  assert.equal(row?.count, MAX_FOLLOWED_THREADS - 1)
})

test('TROOM-10: a message stands, and is answered, although following its thread fails', async () => {
  const thread = await startThread(ada, space.general)
  const eve = await newcomer()
  const { url } = await ada.client.webhooks.create(space.general, { name: 'build' })
  const lock = await holdLock(server, sql`lock table thread_follows in exclusive mode`)
  const answer = await fetch(new URL(`${url}?wait=true&thread_id=${thread.id}`, server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: `done, <@${eve.id}>` }),
  })
  await lock.release()
  assert.deepEqual(
    (await ada.client.messages.list(thread.id)).map(({ id }) => id),
    [Object(await answer.json()).id],
  )
})
