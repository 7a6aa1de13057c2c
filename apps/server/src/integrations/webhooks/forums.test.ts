import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Room } from '@foyer/protocol/rooms'
import type { Webhook } from '@foyer/protocol/webhooks'
import { newId } from '#src/kernel/ids.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

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
