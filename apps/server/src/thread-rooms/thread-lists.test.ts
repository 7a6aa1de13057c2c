import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const threads = (person: Person) => person.client.api(ThreadRooms)
const titlesOf = (page: { threads: readonly { title: string }[] }) => page.threads.map(({ title }) => title)

/** Moves the newest activity of a thread into the past. */
const makeQuiet = (id: string, minutes: number) =>
  server.deps.database.execute(sql`
    update thread_rooms set active_at = now() - make_interval(mins => ${minutes}::integer) where id = ${id}`)

test('TROOM-16: the lists of a room are by state and activity, in pages', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'room', type: 1 })
  const make = async (title: string, minutes: number, body = {}) => {
    const { id } = await startThread(ada, room.id, { title, ...body })
    await makeQuiet(id, minutes)
    return id
  }
  await make('never sleeps', 100_000, { quiet_minutes: 0 })
  await make('asleep', 61, { quiet_minutes: 60 })
  await make('awake', 59, { quiet_minutes: 60 })
  const laid = await make('laid', 5)
  await threads(ada).update(laid, { is_asleep: true })
  const closed = await make('closed', 30)
  await threads(ada).update(closed, { is_closed: true })
  const list = (query: object) => threads(eve).list(room.id, query)
  assert.deepEqual(titlesOf(await list({ state: 'active' })), ['awake', 'never sleeps'])
  assert.deepEqual(titlesOf(await list({ state: 'asleep' })), ['laid', 'asleep'])
  assert.deepEqual(titlesOf(await list({ state: 'closed' })), ['closed'])
  const all = ['laid', 'closed', 'awake', 'asleep', 'never sleeps']
  assert.deepEqual(titlesOf(await list({ state: 'all' })), all)
  const paged: string[] = []
  let before: string | null | undefined
  do {
    const page = await list({ limit: 2, ...(before && { before }) })
    paged.push(...titlesOf(page))
    before = page.next
  } while (before !== null)
  assert.deepEqual(paged, all)
  const asleep = (await list({})).threads.filter(({ is_asleep }) => is_asleep)
  assert.deepEqual(
    asleep.map(({ title }) => title),
    ['laid', 'asleep'],
  )
  for (const wrong of ['x', '1_2', `9_${room.id}_1`, `-1_${room.id}`]) {
    const answer = await eve.call('GET', `/api/rooms/${room.id}/threads?before=${wrong}`)
    assert.equal(answer.code, 'invalid_cursor')
  }
})

test('TROOM-16: followed threads of all spaces are listed, unread ones by choice', async () => {
  const other = await makeSpace(eve, [ada])
  const [here, there] = [await startThread(eve, space.general), await startThread(eve, other.general)]
  await startThread(ada, space.general, { title: 'not mine' })
  await ada.client.messages.create(there.id, { content: 'news' })
  const ids = async (query: object) => (await threads(eve).listFollowed(query)).threads.map(({ id }) => id)
  assert.deepEqual(await ids({}), [there.id, here.id])
  assert.deepEqual(await ids({ unread: true }), [there.id])
  assert.deepEqual(await ids({ limit: 1 }), [there.id])
  await eve.client.messages.create(here.id, { content: 'mine' })
  assert.deepEqual(await ids({ unread: true }), [there.id])
  assert.deepEqual(await ids({}), [here.id, there.id])
  await eve.client.messages.ack(there.id, (await eve.client.messages.list(there.id))[0]?.id ?? '')
  assert.deepEqual(await ids({ unread: true }), [])
  const bot = await createBot(server, 'lists')
  assert.equal((await bot.call('GET', '/api/users/@me/threads')).code, 'bots_not_allowed')
})

test('TROOM-4: automod and reports know the messages of threads as those of their room', async () => {
  const thread = await startThread(eve, space.general)
  const { id } = await eve.client.messages.create(thread.id, { content: 'rude' })
  const body = { message_id: id, room_id: thread.id, reason: 'harassment', text: '' }
  const answer = await ada.call('POST', '/api/reports', body)
  assert.ok(answer.status < 300, `${answer.code}`)
  const reports = await ada.call('GET', `/api/spaces/${space.id}/reports`)
  const place = {
    room_id: thread.id,
    conversation_id: null,
    space_id: space.id,
    parent_room_id: space.general,
  }
  assert.deepEqual(Object(reports.body)[0].place, place)
})
