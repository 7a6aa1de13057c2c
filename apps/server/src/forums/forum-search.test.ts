import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
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

async function found(query: string): Promise<string[]> {
  const { status, code, body } = await eve.call('GET', `/api/spaces/${space.id}/messages/search?${query}`)
  if (status !== 200) return [`${status} ${code}`]
  return Object(body).messages.map(({ content }: { content: string }) => content)
}

test('FORUM-9: a search looks in posts with a tag, with an answer or without, and in one thread', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }, { name: 'Idea' }] })
  const [bug, idea] = [tagOf(forum, 'Bug'), tagOf(forum, 'Idea')]
  const one = await makePost(eve, forum.id, 'One', { content: 'kettle one', tags: [bug] })
  const two = await makePost(eve, forum.id, 'Two', { content: 'kettle two', tags: [idea] })
  await makePost(eve, forum.id, 'Three', { content: 'kettle three' })
  await ada.client.messages.create(space.general, { content: 'kettle in the room' })
  const inRoom = await startThread(eve, space.general, { title: 'Tea', content: 'kettle in a thread' })
  const answer = await ada.client.messages.create(one.id, { content: 'the answer' })
  await eve.call('PUT', `/api/threads/${one.id}/solution`, { message_id: answer.id })
  assert.deepEqual(await found('query=kettle'), [
    ...['kettle in a thread', 'kettle in the room', 'kettle three', 'kettle two', 'kettle one'],
  ])
  assert.deepEqual(await found(`query=kettle&tag=${bug}`), ['kettle one'])
  assert.deepEqual(await found(`query=kettle&tag=${bug}&tag=${idea}`), ['kettle two', 'kettle one'])
  assert.deepEqual(await found(`tag=${bug}`), ['the answer', 'kettle one'])
  assert.deepEqual(await found('query=kettle&solved=true'), ['kettle one'])
  assert.deepEqual(await found('query=kettle&solved=false'), ['kettle three', 'kettle two'])
  assert.deepEqual(await found(`query=kettle&solved=false&tag=${bug}`), [])
  assert.deepEqual(await found(`query=kettle&thread=${two.id}`), ['kettle two'])
  assert.deepEqual(await found(`query=kettle&thread=${inRoom.id}&room_id=${space.general}`), [
    'kettle in a thread',
  ])
  assert.deepEqual(await found(`thread=${one.id}`), ['the answer', 'kettle one'])
  await ada.call('PATCH', `/api/spaces/${space.id}/rooms/${forum.id}`, { forum: { tags: [] } })
  assert.deepEqual(await found(`query=kettle&tag=${bug}`), [])
})

test('FORUM-9: unknown threads and tags find nothing, and hidden forums stay hidden', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }] })
  const bug = tagOf(forum, 'Bug')
  const post = await makePost(ada, forum.id, 'Secret', { content: 'teapot', tags: [bug] })
  assert.deepEqual(await found(`query=teapot&tag=${newId()}`), [])
  assert.deepEqual(await found(`thread=${newId()}`), ['404 unknown_thread'])
  assert.deepEqual(await found(`thread=${forum.id}`), ['404 unknown_thread'])
  assert.deepEqual(await found(`thread=${post.id}&room_id=${space.general}`), ['404 unknown_thread'])
  for (const query of ['tag=x', 'thread=x', 'solved=maybe', `thread=${post.id}&thread=${post.id}`])
    assert.deepEqual(await found(query), ['400 invalid_request'])
  assert.deepEqual(await found('tag='), ['400 invalid_request'])
  await ada.client.overwrites.upsert(space.id, forum.id, {
    ...{ target_id: space.id, target_type: 0, allow_flags: 0 },
    deny_flags: Permission.ViewChannels,
  })
  assert.deepEqual(await found(`query=teapot&tag=${bug}`), [])
  assert.deepEqual(await found(`thread=${post.id}`), ['404 unknown_room'])
})
