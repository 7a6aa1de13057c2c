import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Room } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { connectAsking, listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { WEBHOOK_TURNS } from './execution.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let forum: Room
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  forum = await makeForum(owner, space, { tags: [{ name: 'Bug' }] })
  webhook = await owner.client.webhooks.create(forum.id, { name: 'News' })
})
after(() => server.close())

const send = async (body: object, query = '') => {
  const answer = await deliver(server, webhook, body, { path: `?wait=true${query}` })
  return { ...answer, outcome: answer.code ?? answer.status }
}
const titles = async () => (await listPosts(owner, forum.id)).map(({ title }) => title)

test('FORUM-10: a webhook of a forum begins posts with thread_name, and writes in one with thread_id', async () => {
  const tags = [tagOf(forum, 'Bug')]
  const { outcome, body } = await send({ content: 'It broke', thread_name: ' Build 7 ', applied_tags: tags })
  assert.equal(outcome, 200)
  const [post] = await listPosts(owner, forum.id)
  assert.deepEqual(
    [post?.title, post?.id, post?.tags, post?.creator_id, post?.opening?.content],
    ['Build 7', Object(body).room_id, tags, owner.id, 'It broke'],
  )
  assert.equal((await send({ content: 'Fixed' }, `&thread_id=${post?.id}`)).outcome, 200)
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ content: 'see', thread_name: 'With a file' }))
  form.set('files[0]', new File(['leaves'], 'leaves.txt'))
  assert.equal((await send(form)).outcome, 200)
  assert.deepEqual(await titles(), ['With a file', 'Build 7'])
})

test('FORUM-10: a webhook of a forum without a fit post is refused, and leaves none', async () => {
  const before = await titles()
  const content = 'hello'
  const name = { content, thread_name: 'Name' }
  const other = await makeForum(owner, space)
  const elsewhere = await makePost(owner, other.id, 'Elsewhere')
  assert.equal((await send({ content })).outcome, 'thread_name_required')
  assert.equal((await send({ content, thread_name: '  ' })).outcome, 'thread_name_required')
  assert.equal((await send({ thread_name: 'Empty' })).outcome, 'empty_message')
  assert.equal((await send({ content, thread_name: 'a\u202eb' })).outcome, 'invalid_title')
  for (const thread_name of ['x'.repeat(101), 7])
    assert.equal((await send({ content, thread_name })).outcome, 'invalid_request')
  assert.equal((await send({ ...name, applied_tags: [newId()] })).outcome, 'unknown_tag')
  for (const applied_tags of ['x', ['x'], 7, [newId(), newId(), newId(), newId(), newId(), newId()]])
    assert.equal((await send({ ...name, applied_tags })).outcome, 'invalid_request')
  assert.equal((await send({ content }, `&thread_id=${elsewhere.id}`)).outcome, 'unknown_thread')
  assert.equal((await send(name, `&thread_id=${elsewhere.id}`)).outcome, 'invalid_request')
  await wordRule(owner, space)
  assert.equal((await send({ content: CAUGHT, thread_name: 'Fine' })).outcome, 'automod_refused')
  assert.equal((await send({ content, thread_name: CAUGHT })).outcome, 'automod_refused')
  assert.deepEqual(await titles(), before)
  const inRoom = await owner.client.webhooks.create(space.general, { name: 'Room' })
  const ignored = await deliver(server, inRoom, { ...name, applied_tags: ['1234'] })
  assert.equal(ignored.code, null)
  assert.equal((await owner.client.messages.list(space.general))[0]?.content, content)
})

test('FORUM-10: a webhook that is moved into a forum while its message waits writes nothing in the forum itself', async () => {
  const target = await makeForum(owner, space)
  const moved = await owner.client.webhooks.create(space.general, { name: 'Moved' })
  const { webhookTurns } = server.deps
  const lock = await holdLock(server, sql`lock table mentions in exclusive mode`)
  // Embeds take the statement that the lock stops. They take all turns of the owner, so that the last message waits for one.
  const before = Array.from({ length: WEBHOOK_TURNS.atOnce }, (_, index) =>
    deliver(server, moved, { embeds: [{ title: `${index}` }] }),
  )
  await lock.waitForBlocked(1)
  const late = deliver(server, moved, { content: 'late' }, { path: '?wait=true' })
  while (webhookTurns.waiting === 0) await setImmediate()
  await owner.client.webhooks.update(moved.id, { room_id: target.id })
  await lock.release()
  await Promise.all(before)
  assert.equal((await late).code, 'thread_name_required')
  const rows = await server.deps.database.query(sql`select from messages where channel_id = ${target.id}`)
  assert.deepEqual(rows, [])
})

test('FORUM-12: a post of a webhook and its message are seen at once, or not at all', async () => {
  const fresh = await makeForum(owner, space)
  const hook = await owner.client.webhooks.create(fresh.id, { name: 'Fresh' })
  const client = await connectAsking(server, owner, ['threads', 'forums'])
  const { database } = server.deps
  await database.execute(sql`alter table messages add constraint no_boom check (content <> 'boom') not valid`)
  const refused = await deliver(server, hook, { content: 'boom', thread_name: 'Boom' })
  await database.execute(sql`alter table messages drop constraint no_boom`)
  assert.equal(refused.status, 500)
  assert.equal((await deliver(server, hook, { content: 'fine', thread_name: 'Fine' })).status, 204)
  await client.settle()
  const names = client.frames.flatMap(({ t }) => (t === 'THREAD_CREATE' || t === 'MESSAGE_CREATE' ? [t] : []))
  client.close()
  assert.deepEqual(names, ['THREAD_CREATE', 'MESSAGE_CREATE'])
  const [post, ...others] = await listPosts(owner, fresh.id)
  assert.deepEqual([post?.title, post?.opening?.content, others], ['Fine', 'fine', []])
})
