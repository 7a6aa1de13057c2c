import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Automod } from '@foyer/sdk/api/automod'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import type { GatewayClient } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { connectAsking, listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { namesOf, note, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace
let watcher: GatewayClient | undefined

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
afterEach(() => {
  watcher?.close()
  watcher = undefined
})
after(() => server.close())

const postPath = (roomId: string) => `/api/rooms/${roomId}/threads`

async function watch(): Promise<GatewayClient> {
  watcher = await connectAsking(server, ada, ['threads', 'forums'])
  return watcher
}

/** Returns the names of the events of threads and messages that were sent so far. */
async function told(client: GatewayClient): Promise<string[]> {
  await client.settle()
  return client.frames.flatMap(({ t }) => (t?.startsWith('THREAD_') || t?.startsWith('MESSAGE_') ? [t] : []))
}

const countPosts = async (forumId: string) => {
  const rows = await server.deps.database.query<{ count: number }>(sql`
    select (select count(*) from thread_rooms where room_id = ${forumId})
      + (select count(*) from posts where room_id = ${forumId})
      + (select count(*) from post_words where room_id = ${forumId}) as count`)
  return rows[0]?.count
}

test('FORUM-12: a post is announced, listed and open to others only with its first message', async () => {
  const forum = await makeForum(ada, space)
  const client = await watch()
  const lock = await holdLock(server, sql`lock table mentions in exclusive mode`)
  const making = makePost(eve, forum.id, 'Tea', { content: 'the opening' })
  await lock.waitForBlocked(1)
  assert.deepEqual([await told(client), await listPosts(ada, forum.id)], [[], []])
  await lock.release()
  const { id, opening_message_id } = await making
  await client.findEvent('MESSAGE_CREATE')
  assert.deepEqual(await told(client), ['THREAD_CREATE', 'MESSAGE_CREATE'])
  const [created] = client.heard('THREAD_CREATE')
  assert.deepEqual(
    [Object(created?.d).message_count, Object(created?.d).opening_message_id],
    [0, opening_message_id],
  )
  await ada.client.messages.create(id, { content: 'an answer' })
  const [post] = await listPosts(ada, forum.id)
  assert.deepEqual(
    [post?.opening?.content, post?.opening?.message_id, post?.reply_count],
    ['the opening', opening_message_id, 1],
  )
})

test('FORUM-12: nothing stays of a post whose first message any error stops, and nobody is told of it', async () => {
  const forum = await makeForum(ada, space)
  const { database } = server.deps
  const upload = await putUpload(eve, forum.id, note('kept', 'kept.txt'))
  const client = await watch()
  const start = (body: object) => eve.call('POST', postPath(forum.id), body)
  await database.execute(sql`alter table messages add constraint no_boom check (content <> 'boom') not valid`)
  const { status } = await start({ title: 'Boom', content: 'boom', attachment_ids: [upload] })
  const form = formOf(
    ['payload_json', JSON.stringify({ title: 'Boom', content: 'boom' })],
    ['files', note('x')],
  )
  const withFile = await start(form)
  await database.execute(sql`alter table messages drop constraint no_boom`)
  assert.deepEqual([status, withFile.status], [500, 500])
  await ada.client.rooms.update(space.id, forum.id, { slow_mode_seconds: 60 })
  await makePost(eve, forum.id, 'First')
  assert.equal((await start({ title: 'Too early', content: 'x' })).code, 'slow_mode')
  await ada.client.rooms.update(space.id, forum.id, { slow_mode_seconds: 0 })
  assert.deepEqual(
    (await listPosts(ada, forum.id)).map(({ title }) => title),
    ['First'],
  )
  assert.deepEqual(await told(client), ['THREAD_CREATE', 'MESSAGE_CREATE'])
  assert.equal(await countPosts(forum.id), 3)
  const { id } = await makePost(eve, forum.id, 'Again', { content: '', attachment_ids: [upload] })
  const [message] = await eve.client.messages.list(id)
  assert.deepEqual(message && namesOf(message), ['kept.txt'])
  await checkFilesAtRest(server)
})

test('FORUM-12: nothing stays of a post if the database ends the connection that stores it', async () => {
  const forum = await makeForum(ada, space)
  const client = await watch()
  const lock = await holdLock(server, sql`lock table mentions in exclusive mode`)
  const cut = eve.call('POST', postPath(forum.id), { title: 'Cut', content: 'x' })
  await lock.waitForBlocked(1)
  await server.deps.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  assert.ok((await cut).status >= 500)
  await lock.release()
  assert.equal(await countPosts(forum.id), 0)
  assert.deepEqual(await told(client), [])
})

test('FORUM-12: a post whose message is held exists from its approval on, and never if it is rejected', async () => {
  const watched = await makeSpace(ada, [eve])
  const forum = await makeForum(ada, watched, { tags: [{ name: 'Bug' }] })
  await wordRule(ada, watched, { action: 'hold' })
  const client = await watch()
  const upload = await putUpload(eve, forum.id, note('kept', 'kept.txt'))
  const body = { title: 'Tea', content: CAUGHT, tags: [tagOf(forum, 'Bug')], quiet_minutes: 60 }
  const hold = async (more: object) =>
    assert.equal((await eve.call('POST', postPath(forum.id), { ...body, ...more })).code, 'held_for_review')
  await hold({ attachment_ids: [upload] })
  await hold({ title: 'Coffee' })
  assert.deepEqual([await told(client), await listPosts(eve, forum.id)], [[], []])
  assert.equal(await countPosts(forum.id), 0)
  const automod = ada.client.api(Automod)
  const [tea, coffee] = await automod.listHeld(watched.id)
  assert.deepEqual([tea?.content, coffee?.content], [`Tea\n${CAUGHT}`, `Coffee\n${CAUGHT}`])
  await automod.rejectHeld(watched.id, coffee?.id ?? '')
  const posted = await automod.approveHeld(watched.id, tea?.id ?? '')
  assert.deepEqual([posted.author.id, namesOf(posted)], [eve.id, ['kept.txt']])
  const [post, ...others] = await listPosts(ada, forum.id)
  assert.deepEqual(
    [post?.id, post?.title, post?.tags, post?.quiet_minutes, post?.creator_id, others],
    [posted.room_id, 'Tea', body.tags, 60, eve.id, []],
  )
  assert.equal(post?.opening?.message_id, posted.id)
  assert.equal((await readThread(eve, post.id)).own.follow, 'all')
  assert.deepEqual(await told(client), ['THREAD_CREATE', 'MESSAGE_CREATE'])
  assert.deepEqual(await automod.listHeld(watched.id), [])
  await checkFilesAtRest(server)
})

test('FORUM-12: a held thread begins from its message, if that is there and has no other by then', async () => {
  const watched = await makeSpace(ada, [eve])
  await wordRule(ada, watched, { action: 'hold' })
  const say = (content: string) => ada.client.messages.create(watched.general, { content })
  const [kept, taken, gone] = [await say('kept'), await say('taken'), await say('gone')]
  for (const { id: message_id, content: title } of [kept, taken, gone])
    await eve.call('POST', postPath(watched.general), { title, content: CAUGHT, message_id })
  await startThread(ada, watched.general, { title: 'First', message_id: taken.id })
  await ada.client.messages.delete(watched.general, gone.id)
  const automod = ada.client.api(Automod)
  const starters: (string | null)[] = []
  for (const { id } of await automod.listHeld(watched.id)) {
    const { room_id } = await automod.approveHeld(watched.id, id)
    starters.push((await readThread(eve, room_id ?? '')).starter_message_id)
  }
  assert.deepEqual(starters, [kept.id, null, null])
})

test('FORUM-12: an approval that was cut off after the post began finds it again, also after a day', async () => {
  const watched = await makeSpace(ada, [eve])
  const forum = await makeForum(ada, watched)
  await wordRule(ada, watched, { action: 'hold' })
  await eve.call('POST', postPath(forum.id), { title: 'Tea', content: CAUGHT })
  const automod = ada.client.api(Automod)
  const [held] = await automod.listHeld(watched.id)
  const { database } = server.deps
  const [row] = await database.query<{ kept: object }>(sql`
    select to_jsonb(held_messages) as kept from held_messages where id = ${held?.id}`)
  const posted = await automod.approveHeld(watched.id, held?.id ?? '')
  await database.execute(sql`
    insert into held_messages select * from jsonb_populate_record(null::held_messages, ${JSON.stringify(row?.kept)}::jsonb)`)
  await database.execute(sql`
    update message_nonces set created_at = now() - interval '25 hours' where channel_id = ${posted.room_id}`)
  assert.equal((await automod.approveHeld(watched.id, held?.id ?? '')).id, posted.id)
  assert.deepEqual(await automod.listHeld(watched.id), [])
  assert.equal((await listPosts(ada, forum.id)).length, 1)
})

test('FORUM-12: the opening of a post stays that message, wherever messages are moved', async () => {
  const forum = await makeForum(ada, space)
  const [tea, coffee] = [await makePost(eve, forum.id, 'Tea'), await makePost(eve, forum.id, 'Coffee')]
  const move = (from: string, into: string) =>
    ada.call('POST', `/api/threads/${into}/move`, { message_ids: [from] })
  const openings = async () =>
    new Map((await listPosts(ada, forum.id)).map(({ id, opening }) => [id, opening?.content]))
  const opening = tea.opening_message_id ?? ''
  const reply = await ada.client.messages.create(tea.id, { content: 'a reply' })
  assert.equal((await move(opening, coffee.id)).status, 200)
  assert.deepEqual(
    [(await openings()).get(tea.id), (await openings()).get(coffee.id)],
    [undefined, 'Coffee?'],
  )
  assert.equal((await move(opening, tea.id)).status, 200)
  assert.equal((await openings()).get(tea.id), 'Tea?')
  const solve = async (message_id: string) =>
    (await eve.call('PUT', `/api/threads/${tea.id}/solution`, { message_id })).code
  assert.deepEqual([await solve(opening), await solve(reply.id)], ['not_an_answer', null])
  await ada.call('POST', `/api/threads/${tea.id}/merge`, { into: coffee.id })
  assert.deepEqual([...(await openings())], [[coffee.id, 'Coffee?']])
})
