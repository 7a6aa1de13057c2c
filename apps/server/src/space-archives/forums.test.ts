import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Room } from '@foyer/protocol/rooms'
import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { type Owner, signUpOwner } from '#test/scenes/exports.ts'
import { listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { exportSpace, importSpace, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Owner
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

async function forumIn(spaceId: string | null): Promise<Room> {
  const { body } = await member.call('GET', `/api/spaces/${spaceId}/rooms?forums=true`)
  const rooms: Room[] = JSON.parse(JSON.stringify(body))
  const forum = rooms.find(({ type }) => type === 5)
  if (forum === undefined) throw new Error('no forum')
  return forum
}

/** Makes a post with an answer, and one without its opening, and deletes a tag. */
async function fillForum(forum: Room): Promise<void> {
  const [bug, gone, idea] = [tagOf(forum, 'Bug'), tagOf(forum, 'Gone'), tagOf(forum, 'Idea')]
  const threads = owner.client.api(ThreadRooms)
  const post = { title: 'Solved', content: 'Solved?', tags: [idea, gone, bug] }
  const solved = await threads.create(forum.id, post)
  const answer = await owner.client.messages.create(solved.id, { content: 'so' })
  await owner.client.api(Forums).solve(solved.id, answer.id)
  await threads.update(solved.id, { is_pinned: true })
  const headless = await makePost(member, forum.id, 'Headless', { tags: [idea] })
  const [opening] = await owner.client.messages.list(headless.id)
  await owner.client.messages.create(headless.id, { content: 'a reply' })
  await owner.client.messages.delete(headless.id, opening?.id ?? '')
  const left = forum.forum?.tags.filter(({ name }) => name !== 'Gone') ?? []
  await owner.client.rooms.update(space.id, forum.id, { forum: { tags: left } })
}

test('FORUM-11: forums, their tags and posts with answers are in the archive of a space, and come back', async () => {
  const settings = {
    guidelines: '# Rules',
    template: 'Version:',
    requires_tag: true,
    layout: 'gallery',
  } as const
  const tags = [{ name: 'Bug', color: 0xff0000, is_moderated: true }, { name: 'Gone' }, { name: 'Idea' }]
  const forum = await makeForum(owner, space, { ...settings, tags })
  const [bug, gone, idea] = [tagOf(forum, 'Bug'), tagOf(forum, 'Gone'), tagOf(forum, 'Idea')]
  await fillForum(forum)
  const archive = await exportSpace(server, owner, space.id)
  const { files } = await unpackSpace(archive)
  assert.equal(JSON.parse(`${files.get('manifest.json')}`).version, 4)
  assert.ok(!`${files.get('threads/000001.ndjson')}`.includes(gone))
  const imported = await importSpace(member, archive)
  assert.equal(imported.failure, null)
  const back = await forumIn(imported.space_id)
  assert.deepEqual({ ...back.forum, tags: [] }, { ...settings, sort: 'activity', tags: [] })
  assert.deepEqual(
    back.forum?.tags.map(({ name, color, is_moderated }) => [name, color, is_moderated]),
    [
      ['Bug', 0xff0000, true],
      ['Idea', null, false],
    ],
  )
  assert.ok(!back.forum?.tags.some(({ id }) => id === bug || id === idea))
  const [first, second] = await listPosts(member, back.id)
  const tagged = [tagOf(back, 'Idea'), tagOf(back, 'Bug')]
  assert.deepEqual(
    [first?.title, first?.is_pinned, first?.tags, first?.opening?.content, first?.reply_count],
    ['Solved', true, tagged, 'Solved?', 1],
  )
  const [message] = await member.client.messages.list(first?.id ?? '', { limit: 1 })
  assert.deepEqual([first?.solved_message_id, message?.content], [message?.id, 'so'])
  assert.deepEqual([second?.title, second?.opening, second?.reply_count], ['Headless', null, 1])
  const { body } = await member.call('GET', `/api/rooms/${back.id}/similar?title=headless`)
  assert.equal(Object(body).threads[0].id, second?.id)
  const found = await member.call('GET', `/api/spaces/${imported.space_id}/messages/search?tag=${tagged[1]}`)
  assert.equal(Object(found.body).messages.length, 2)
})

test('FORUM-11, FORUM-12: an import finds the opening of a post among older messages that were moved there', async () => {
  const forum = await makeForum(owner, space)
  const [tea, coffee] = [await makePost(member, forum.id, 'Tea'), await makePost(member, forum.id, 'Coffee')]
  await owner.client.api(ThreadRooms).move(coffee.id, [tea.opening_message_id ?? ''])
  const imported = await importSpace(member, await exportSpace(server, owner, space.id))
  assert.equal(imported.failure, null)
  const listed = await listPosts(member, (await forumIn(imported.space_id)).id)
  assert.deepEqual(
    new Map(listed.map(({ title, opening, reply_count }) => [title, [opening?.content, reply_count]])),
    new Map([
      ['Coffee', ['Coffee?', 1]],
      ['Tea', [undefined, 0]],
    ]),
  )
})
