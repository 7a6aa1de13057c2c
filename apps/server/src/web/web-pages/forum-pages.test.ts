import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { makeForum, makePost } from '#test/scenes/forums.ts'
import type { Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startWebPages } from '#test/scenes/web-pages.ts'
import type { TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let eve: Person
let space: TestSpace
before(async () => {
  ;({ server, owner, eve } = await startWebPages())
  space = await makeSpace(owner, [eve])
})
after(() => server.close())

const read = async (path: string) => {
  const answer = await fetch(new URL(path, server.url))
  return { status: answer.status, text: await answer.text() }
}

test('WEBPAGE-13: a forum lists its posts, and an answered one is a question with its answer', async () => {
  const forum = await makeForum(owner, space)
  const hidden = await makePost(eve, forum.id, 'From before')
  await owner.client.api(WebRooms).open(forum.id)
  await awaitJobs(server)
  assert.deepEqual(await owner.client.messages.list(forum.id).catch(() => []), [])
  const { id } = await makePost(eve, forum.id, 'How do I bake?')
  const path = `/read/${space.id}/${forum.id}`
  const post = `${path}/t/${id}`
  const open = await read(post)
  assert.match(open.text, /schema.org\/DiscussionForumPosting/)
  assert.doesNotMatch(open.text, /QAPage/)
  const answer = await owner.client.messages.create(id, { content: 'With rye.' })
  await eve.client.messages.create(id, { content: 'Thanks.' })
  assert.equal((await eve.call('PUT', `/api/threads/${id}/solution`, { message_id: answer.id })).status, 200)
  const solved = (await read(post)).text
  assert.match(solved, /schema.org\/QAPage[\s\S]*itemprop="mainEntity"[\s\S]*schema.org\/Question/)
  assert.match(solved, new RegExp(`id="m-${answer.id}" itemprop="acceptedAnswer"`))
  assert.match(solved, /itemprop="suggestedAnswer"/)
  for (const property of ['name', 'answerCount', 'text', 'author', 'datePublished'])
    assert.ok(solved.includes(`itemprop="${property}"`), property)
  const list = (await read(path)).text
  assert.ok(list.includes('How do I bake?') && list.includes('answered') && !list.includes('From before'))
  assert.ok((await read(`${path}/feed.atom`)).text.includes('How do I bake?'))
  assert.equal((await read(`${path}/t/${hidden.id}`)).status, 404)
})

test('WEBPAGE-8: only the first message of a thread is its topic, and later pages have answers of their own', async () => {
  const forum = await makeForum(owner, space)
  await owner.client.api(WebRooms).open(forum.id)
  await awaitJobs(server)
  const { id } = await makePost(eve, forum.id, 'A long one')
  for (let index = 0; index < 4; index += 1)
    await owner.client.messages.create(id, { content: 'word '.repeat(780) + index })
  for (let index = 0; index < 4; index += 1)
    await owner.client.messages.create(id, { content: 'more '.repeat(780) + index })
  const first = (await read(`/read/${space.id}/${forum.id}/t/${id}`)).text
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]
  assert.ok(next)
  const second = (await read(next)).text
  assert.doesNotMatch(second, /DiscussionForumPosting/)
  assert.match(second, /<article id="[^"]*" itemscope itemtype="https:\/\/schema.org\/Comment"/)
})
