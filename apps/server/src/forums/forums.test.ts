import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { listPosts, makeForum, makePost, tagOf } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { readThread } from '#test/scenes/thread-rooms.ts'
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

const patch = (roomId: string, forum: unknown, person = ada) =>
  person.call('PATCH', `/api/spaces/${space.id}/rooms/${roomId}`, { forum })

test('FORUM-1: a forum is a room with settings of its own, which those who manage rooms change', async () => {
  const { id } = await ada.client.rooms.create(space.id, { name: 'help', type: 5 })
  const rooms = await ada.client.rooms.list(space.id)
  assert.ok(!rooms.some((room) => room.id === id))
  const listed = await ada.call('GET', `/api/spaces/${space.id}/rooms?forums=true`)
  const room = Object(listed.body).find((room: { id: string }) => room.id === id)
  assert.deepEqual(room.forum, {
    ...{ guidelines: null, template: null, tags: [], requires_tag: false },
    ...{ sort: 'activity', layout: 'list' },
  })
  const change = { guidelines: '# Rules', template: 'Version:', requires_tag: true, sort: 'created' }
  const changed = await patch(id, { ...change, layout: 'gallery' })
  assert.deepEqual(Object(changed.body).forum, { ...room.forum, ...change, layout: 'gallery' })
  assert.deepEqual(Object((await patch(id, { guidelines: null })).body).forum.guidelines, null)
  const others = { slow_mode_seconds: 60, retention_days: 30, description: 'Ask here' }
  const updated = await ada.client.rooms.update(space.id, id, others)
  assert.deepEqual(Object(updated).slow_mode_seconds, 60)
  assert.equal(Object(updated).forum.template, 'Version:')
  assert.equal((await patch(id, { template: null }, eve)).code, 'missing_permission')
  assert.equal((await patch(id, { template: null }, mallory)).code, 'not_a_member')
})

test('FORUM-1: bad settings change nothing', async () => {
  const forum = await makeForum(ada, space, { guidelines: 'kept' })
  const bad = [
    { guidelines: 'x'.repeat(4001) },
    { template: 'x'.repeat(2001) },
    { sort: 'random' },
    { layout: null },
    { requires_tag: 'yes' },
    { tags: null },
    { tags: Array.from({ length: 21 }, (_, index) => ({ name: `${index}` })) },
    'text',
    null,
  ]
  for (const settings of bad) assert.equal((await patch(forum.id, settings)).code, 'invalid_request')
  assert.equal((await patch(space.general, { sort: 'created' })).code, 'not_a_forum')
  assert.equal(Object((await patch(forum.id, {})).body).forum.guidelines, 'kept')
})

test('FORUM-1: a forum has no messages of its own', async () => {
  const forum = await makeForum(ada, space)
  const path = `/api/rooms/${forum.id}`
  const refused = '400 not_a_message_room'
  assert.equal(await codeOf(eve, 'POST', `${path}/messages`, { content: 'hello' }), refused)
  assert.equal(await codeOf(eve, 'POST', `${path}/typing`), refused)
  assert.equal(await codeOf(eve, 'POST', `${path}/recording`), refused)
  assert.equal(await codeOf(ada, 'PUT', `${path}/pins/${newId()}`), refused)
  const post = await makePost(eve, forum.id, 'Tea')
  const body = { content: 'both', also_to_room: true }
  assert.equal(await codeOf(eve, 'POST', `/api/rooms/${post.id}/messages`, body), refused)
  assert.equal((await readThread(eve, post.id)).message_count, 1)
})

test('FORUM-1: two changes at once do not undo each other', async () => {
  const forum = await makeForum(ada, space)
  const answers = await Promise.all([
    patch(forum.id, { guidelines: 'one' }),
    patch(forum.id, { sort: 'created' }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const { guidelines, sort } = Object((await patch(forum.id, {})).body).forum
  assert.deepEqual([guidelines, sort], ['one', 'created'])
})

test('FORUM-1, FORUM-2: the audit log has each change of the settings, and an undo brings tags back', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug' }] })
  const tag = tagOf(forum, 'Bug')
  const post = await makePost(eve, forum.id, 'Tea', { tags: [tag] })
  await patch(forum.id, { tags: [] })
  assert.deepEqual((await readThread(eve, post.id)).tags, [])
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'room_update' })
  const [entry] = entries
  assert.deepEqual(Object(entry?.before).forum.tags[0].name, 'Bug')
  assert.deepEqual(Object(entry?.after).forum.tags, [])
  await ada.client.auditLog.undo(space.id, entry?.id ?? '')
  assert.deepEqual((await readThread(eve, post.id)).tags, [tag])
})

test('FORUM-2: tags are kept by their ids, renamed, added in their order, and deleted', async () => {
  const forum = await makeForum(ada, space, { tags: [{ name: 'Bug', color: 0xff0000 }, { name: 'Idea' }] })
  const [bug, idea] = [tagOf(forum, 'Bug'), tagOf(forum, 'Idea')]
  const post = await makePost(eve, forum.id, 'Tea', { tags: [idea, bug] })
  assert.deepEqual(post.tags, [idea, bug])
  const list = [
    { name: 'New', is_moderated: true },
    { id: bug, name: ' Defect ' },
  ]
  const { tags } = Object((await patch(forum.id, { tags: list })).body).forum
  assert.deepEqual(
    tags.map(({ name, color, is_moderated }: Record<string, unknown>) => [name, color, is_moderated]),
    [
      ['New', null, true],
      ['Defect', 0xff0000, false],
    ],
  )
  assert.equal(tags[1].id, bug)
  assert.deepEqual((await readThread(eve, post.id)).tags, [bug])
  assert.deepEqual(await listPosts(eve, forum.id, `?tag=${idea}`), [])
  assert.equal((await listPosts(eve, forum.id, `?tag=${bug}`)).length, 1)
})

test('FORUM-2: unfit tags are refused as a whole', async () => {
  const [forum, other] = [
    await makeForum(ada, space, { tags: [{ name: 'Bug' }] }),
    await makeForum(ada, space),
  ]
  const elsewhere = Object((await patch(other.id, { tags: [{ name: 'Other' }] })).body).forum.tags[0].id
  const bug = tagOf(forum, 'Bug')
  const bad: [string, unknown[]][] = [
    ['unknown_tag', [{ id: newId(), name: 'Foreign' }]],
    ['unknown_tag', [{ id: elsewhere, name: 'Other' }]],
    [
      'unknown_tag',
      [
        { id: bug, name: 'One' },
        { id: bug, name: 'Two' },
      ],
    ],
    ['duplicate_tag', [{ name: 'Bug' }, { name: 'bUG' }]],
    ['invalid_tag_name', [{ name: 'left\u202eright' }]],
    ['invalid_tag_name', [{ name: 'two\nlines' }]],
    ['invalid_request', [{ name: '' }]],
    ['invalid_request', [{ name: 'x'.repeat(31) }]],
    ['invalid_request', [{ name: 'Red', color: 0x1000000 }]],
    ['invalid_request', [{ name: 'Red', color: -1 }]],
    ['invalid_request', [{ name: 7 }]],
    ['invalid_request', [{}]],
  ]
  for (const [code, tags] of bad) assert.equal((await patch(forum.id, { tags })).code, code)
  const { tags } = Object((await patch(forum.id, {})).body).forum
  assert.deepEqual(tags, forum.forum?.tags)
})
