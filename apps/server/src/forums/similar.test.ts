import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeForum, makePost } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
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

async function similarTo(forumId: string, title: string): Promise<string[]> {
  const query = new URLSearchParams({ title })
  const { status, body } = await eve.call('GET', `/api/rooms/${forumId}/similar?${query}`)
  assert.equal(status, 200)
  return Object(body).threads.map((thread: { title: string }) => thread.title)
}

test('FORUM-8: posts with similar titles are found, the most similar first', async () => {
  const forum = await makeForum(ada, space)
  const titles = [
    'The app crashes at start',
    'Crash at start of the app on Windows',
    'App start',
    'Dark colors for the app',
    'Kettle too loud',
  ]
  for (const title of titles) await makePost(ada, forum.id, title)
  assert.deepEqual(await similarTo(forum.id, 'CRASHES at start: the ÁPP!'), [
    'The app crashes at start',
    'Crash at start of the app on Windows',
    'App start',
    'Dark colors for the app',
  ])
  assert.deepEqual(await similarTo(forum.id, 'Something else entirely'), [])
  assert.deepEqual(await similarTo(forum.id, '!!! ???'), [])
})

test('FORUM-8: of equal titles those with an answer come first, and there are five at most', async () => {
  const forum = await makeForum(ada, space)
  const posts = []
  for (let index = 0; index < 7; index++) posts.push(await makePost(eve, forum.id, 'How do I log in'))
  const [first] = posts
  const answer = await ada.client.messages.create(first?.id ?? '', { content: 'so' })
  await eve.call('PUT', `/api/threads/${first?.id}/solution`, { message_id: answer.id })
  const { body } = await eve.call('GET', `/api/rooms/${forum.id}/similar?title=log%20in`)
  const { threads } = Object(body)
  assert.deepEqual([threads.length, threads[0].id], [5, first?.id])
  assert.equal(threads[1].id, posts.at(-1)?.id)
})

test('FORUM-8: changed titles are found by their new words, deleted posts and other forums not at all', async () => {
  const [forum, other] = [await makeForum(ada, space), await makeForum(ada, space)]
  await makePost(ada, other.id, 'Kettle elsewhere')
  const renamed = await makePost(ada, forum.id, 'Kettle')
  await ada.call('PATCH', `/api/threads/${renamed.id}`, { title: 'Teapot' })
  const deleted = await makePost(ada, forum.id, 'Kettle again')
  await ada.call('DELETE', `/api/threads/${deleted.id}`)
  assert.deepEqual(await similarTo(forum.id, 'Kettle'), [])
  assert.deepEqual(await similarTo(forum.id, 'teapot'), ['Teapot'])
})

test('FORUM-8: bad titles and other rooms are refused', async () => {
  const forum = await makeForum(ada, space)
  const code = async (query: string, roomId = forum.id) =>
    (await eve.call('GET', `/api/rooms/${roomId}/similar${query}`)).code
  for (const query of ['', '?title=', '?title=ab', `?title=${'x'.repeat(101)}`, '?title=one&title=two'])
    assert.equal(await code(query), 'invalid_request')
  assert.equal(await code('?title=Tea', space.general), 'not_a_forum')
})
