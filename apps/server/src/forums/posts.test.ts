import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { namesOf, note, putUpload } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let mallory: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  mallory = await createPerson(server, 'mallory')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const codeOf = async (person: Person, method: string, path: string, body?: unknown) => {
  const { status, code } = await person.call(method, path, body)
  return code === null ? `${status}` : `${status} ${code}`
}

const post = (person: Person, forumId: string, body: object) =>
  codeOf(person, 'POST', `/api/rooms/${forumId}/threads`, body)

const titlesIn = async (forumId: string, query = '') =>
  (await listPosts(eve, forumId, query)).map(({ title }) => title)

test('FORUM-4: a post begins with a message, and has a title like a thread', async () => {
  const forum = await makeForum(ada, space)
  const made = await makePost(eve, forum.id, 'Tea')
  assert.deepEqual([made.tags, made.solved_message_id, made.is_pinned], [[], null, false])
  assert.deepEqual([made.message_count, made.own.follow, made.room_id], [1, 'all', forum.id])
  for (const content of [undefined, null, '', '   '])
    assert.equal(await post(eve, forum.id, { title: 'Empty', content }), '400 empty_message')
  for (const title of ['', 'x'.repeat(10_000), null])
    assert.equal(await post(eve, forum.id, { title, content: 'hello' }), '400 invalid_request')
  for (const title of ['left\u202eright', 'two\nlines'])
    assert.equal(await post(eve, forum.id, { title, content: 'hello' }), '400 invalid_title')
  assert.equal(
    await post(eve, forum.id, { title: 'Long', content: 'x'.repeat(50_000) }),
    '400 invalid_request',
  )
  assert.equal(await post(mallory, forum.id, { title: 'Out', content: 'hello' }), '403 not_a_member')
  const starter = { title: 'From', content: 'hello', message_id: newId() }
  assert.equal(await post(eve, forum.id, starter), '404 unknown_message')
  assert.deepEqual(await titlesIn(forum.id), ['Tea'])
})

test('FORUM-4: a post whose message a rule refuses does not exist', async () => {
  const watched = await makeSpace(ada, [eve])
  const forum = await makeForum(ada, watched)
  await wordRule(ada, watched)
  const upload = await putUpload(eve, forum.id, note('kept', 'kept.txt'))
  const refused = { title: 'Fine', content: CAUGHT, attachment_ids: [upload] }
  assert.equal(await post(eve, forum.id, refused), '403 automod_refused')
  assert.equal(await post(eve, forum.id, { title: CAUGHT, content: 'fine' }), '403 automod_refused')
  assert.deepEqual(await titlesIn(forum.id), [])
  const { id } = await makePost(eve, forum.id, 'Fine', { content: '', attachment_ids: [upload] })
  const [message] = await eve.client.messages.list(id)
  assert.deepEqual(message && namesOf(message), ['kept.txt'])
})

test('FORUM-4: tags of a post are of its forum, and moderated ones are for moderators', async () => {
  const tags = [{ name: 'Bug' }, { name: 'Planned', is_moderated: true }]
  const forum = await makeForum(ada, space, { tags, requires_tag: true })
  const [bug, planned] = [tagOf(forum, 'Bug'), tagOf(forum, 'Planned')]
  const start = (person: Person, asked: unknown) =>
    post(person, forum.id, { title: 'Tea', content: 'hello', tags: asked })
  assert.equal(await start(eve, []), '400 tag_required')
  assert.equal(await start(eve, undefined), '400 tag_required')
  assert.equal(await start(eve, [newId()]), '400 unknown_tag')
  assert.equal(await start(eve, [bug, bug]), '400 invalid_request')
  assert.equal(await start(eve, ['x']), '400 invalid_request')
  assert.equal(
    await start(
      eve,
      Array.from({ length: 6 }, () => newId()),
    ),
    '400 invalid_request',
  )
  assert.equal(await start(eve, [planned]), '403 moderated_tag')
  assert.equal(await post(eve, space.general, { title: 'Tea', tags: [] }), '400 not_a_forum')
  assert.deepEqual(await titlesIn(forum.id), [])
  const { id } = await makePost(eve, forum.id, 'Tea', { tags: [bug] })
  const change = (person: Person, asked: string[]) =>
    codeOf(person, 'PATCH', `/api/threads/${id}`, { tags: asked })
  assert.equal(await change(eve, [planned]), '403 moderated_tag')
  assert.equal(await change(eve, []), '400 tag_required')
  assert.equal(await change(ada, [planned]), '200')
  assert.equal(await change(eve, [bug]), '403 moderated_tag')
  assert.equal(await change(eve, [bug, planned]), '200')
  assert.deepEqual((await readThread(eve, id)).tags, [bug, planned])
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'thread_update' })
  assert.deepEqual([entries[0]?.before, entries[0]?.after], [{ tags: [bug] }, { tags: [planned] }])
  const inRoom = await startThread(eve, space.general)
  assert.equal(await codeOf(eve, 'PATCH', `/api/threads/${inRoom.id}`, { tags: [] }), '400 not_a_forum')
  assert.equal(inRoom.tags, undefined)
})

test('FORUM-4: files begin a post, in a form or uploaded to the forum, and its list shows the first picture', async () => {
  const forum = await makeForum(ada, space)
  const form = new FormData()
  form.append('payload_json', JSON.stringify({ title: 'Pictured' }))
  form.append('one', note('text', 'notes.txt'))
  form.append('two', await png({ width: 20, height: 10 }))
  const { status, body } = await eve.call('POST', `/api/rooms/${forum.id}/threads`, form)
  assert.equal(status, 201)
  const [message] = await eve.client.messages.list(Object(body).id)
  assert.deepEqual(message && namesOf(message).length, 2)
  const [listed] = await listPosts(eve, forum.id)
  assert.deepEqual(listed?.opening?.attachment?.width, 20)
  assert.ok(listed?.opening?.attachment?.url?.startsWith('/attachments/'))
  const foreign = await putUpload(ada, forum.id, note('of another', 'foreign.txt'))
  for (const attachment_ids of [[foreign], [newId()]])
    assert.equal(await post(eve, forum.id, { title: 'T', attachment_ids }), '404 unknown_attachment')
  const broken = new FormData()
  broken.append('payload_json', JSON.stringify({ content: 'no title' }))
  assert.equal((await eve.call('POST', `/api/rooms/${forum.id}/threads`, broken)).code, 'invalid_request')
  const empty = new FormData()
  empty.append('file', note('text'))
  assert.equal((await eve.call('POST', `/api/rooms/${forum.id}/threads`, empty)).code, 'invalid_request')
  assert.deepEqual(await titlesIn(forum.id), ['Pictured'])
})

test('FORUM-5: a list of posts has their openings and replies, and is filtered and sorted', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }, { name: 'Idea' }], sort: 'created' })
  const [bug, idea] = [tagOf(forum, 'Bug'), tagOf(forum, 'Idea')]
  const one = await makePost(eve, forum.id, 'One', { content: 'x'.repeat(400), tags: [bug] })
  const two = await makePost(ada, forum.id, 'Two', { tags: [idea, bug] })
  await makePost(ada, forum.id, 'Three')
  const answer = await eve.client.messages.create(one.id, { content: 'an answer' })
  assert.deepEqual(await titlesIn(forum.id), ['Three', 'Two', 'One'])
  assert.deepEqual(await titlesIn(forum.id, '?sort=activity'), ['One', 'Three', 'Two'])
  assert.deepEqual(await titlesIn(forum.id, `?tag=${bug}`), ['Two', 'One'])
  assert.deepEqual(await titlesIn(forum.id, `?tag=${bug}&sort=activity`), ['One', 'Two'])
  assert.deepEqual(await titlesIn(forum.id, `?tag=${bug}&tag=${idea}`), ['Two', 'One'])
  assert.deepEqual(await titlesIn(forum.id, `?tag=${newId()}`), [])
  assert.equal(
    (await eve.call('PUT', `/api/threads/${one.id}/solution`, { message_id: answer.id })).status,
    200,
  )
  assert.deepEqual(await titlesIn(forum.id, '?solved=true'), ['One'])
  assert.deepEqual(await titlesIn(forum.id, '?solved=false'), ['Three', 'Two'])
  await ada.call('PATCH', `/api/threads/${two.id}`, { is_closed: true })
  assert.deepEqual(await titlesIn(forum.id, '?state=closed'), ['Two'])
  assert.deepEqual(await titlesIn(forum.id, `?state=active&tag=${bug}`), ['One'])
  const [listed] = await listPosts(eve, forum.id, '?solved=true')
  assert.equal(listed?.reply_count, 1)
  assert.deepEqual(
    [listed?.opening?.content, listed?.opening?.author_id, listed?.opening?.attachment],
    ['x'.repeat(300), eve.id, null],
  )
  await eve.client.messages.delete(one.id, listed?.opening?.message_id ?? '')
  const [opened] = await listPosts(eve, forum.id, '?solved=true')
  assert.deepEqual([opened?.opening, opened?.reply_count], [null, 1])
  for (const query of ['?sort=random', '?solved=maybe', '?tag=x', '?limit=0'])
    assert.equal(await codeOf(eve, 'GET', `/api/rooms/${forum.id}/threads${query}`), '400 invalid_request')
  assert.equal(await codeOf(eve, 'GET', `/api/rooms/${forum.id}/threads?before=x`), '400 invalid_cursor')
})

test('FORUM-5: pages of posts follow each other in every order and filter', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }] })
  const bug = tagOf(forum, 'Bug')
  for (let index = 0; index < 7; index++)
    await makePost(ada, forum.id, `Post ${index}`, { tags: index % 2 === 0 ? [bug] : [] })
  const newest = Array.from({ length: 7 }, (_, index) => `Post ${6 - index}`)
  const read = async (query: string) => {
    const titles: string[] = []
    let before = ''
    do {
      const path = `/api/rooms/${forum.id}/threads?limit=2${query}${before && `&before=${before}`}`
      const page = Object((await eve.call('GET', path)).body)
      titles.push(...page.threads.map(({ title }: { title: string }) => title))
      before = page.next ?? ''
    } while (before !== '')
    return titles
  }
  for (const query of ['', '&sort=created', '&state=active', '&sort=created&state=active'])
    assert.deepEqual(await read(query), newest)
  for (const query of [`&tag=${bug}`, `&tag=${bug}&sort=created`, `&tag=${bug}&solved=false`])
    assert.deepEqual(await read(query), ['Post 6', 'Post 4', 'Post 2', 'Post 0'])
})

test('FORUM-6: pinned posts come first on the first page, and those with ManageThreads pin up to ten', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }] })
  const posts = []
  for (let index = 0; index < 12; index++) posts.push(await makePost(ada, forum.id, `Post ${index}`))
  const [first, second] = posts
  const pin = (person: Person, id = '', is_pinned: unknown = true) =>
    codeOf(person, 'PATCH', `/api/threads/${id}`, { is_pinned })
  assert.equal(await pin(eve, first?.id), '403 missing_permission')
  const own = await makePost(eve, forum.id, 'Own')
  assert.equal(await pin(eve, own.id), '403 missing_permission')
  assert.equal(await pin(ada, first?.id, 'yes'), '400 invalid_request')
  assert.equal(await pin(ada, first?.id), '200')
  assert.deepEqual((await titlesIn(forum.id, '?limit=1')).slice(0, 2), ['Post 0', 'Own'])
  const page = Object((await eve.call('GET', `/api/rooms/${forum.id}/threads?limit=12`)).body)
  assert.equal(page.threads.length, 13)
  assert.equal(page.next, null)
  assert.deepEqual(await titlesIn(forum.id, `?tag=${tagOf(forum, 'Bug')}`), [])
  const results = await Promise.all(posts.slice(1).map(({ id }) => pin(ada, id)))
  assert.equal(results.filter((result) => result === '200').length, 9)
  assert.equal(results.filter((result) => result === '400 too_many_pinned_posts').length, 2)
  assert.equal(await pin(ada, second?.id, false), '200')
  const inRoom = await startThread(ada, space.general)
  assert.equal(await pin(ada, inRoom.id), '400 not_a_forum')
})

test('FORUM-4: rights of a forum hold in its posts; bots post like members', async () => {
  const forum = await makeForum(ada, space)
  const bot = await createApplicationBot(server, ada, { name: 'Beep' })
  const bare = { title: 'Beep', content: 'boop' }
  assert.equal(await post(bot, forum.id, bare), '403 not_a_member')
  await ada.client.members.addBot(space.id, bot.id)
  assert.equal(await post(bot, forum.id, bare), '201')
  const made = await makePost(eve, forum.id, 'Tea')
  const deny = (flags: { deny_flags?: number; deny_capabilities?: number }) =>
    ada.client.overwrites.upsert(space.id, forum.id, {
      ...{ target_id: space.id, target_type: 0, allow_flags: 0, deny_flags: 0 },
      ...flags,
    })
  await deny({ deny_capabilities: Capability.CreateThreads })
  assert.equal(await post(eve, forum.id, bare), '403 missing_permission')
  await deny({ deny_flags: Permission.ViewChannels })
  for (const path of [`/api/rooms/${forum.id}/threads`, `/api/rooms/${forum.id}/similar?title=Tea`])
    assert.equal(await codeOf(eve, 'GET', path), '403 missing_permission')
  assert.equal(await codeOf(eve, 'GET', `/api/threads/${made.id}`), '403 missing_permission')
})
