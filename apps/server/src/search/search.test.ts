import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { befriend } from '#test/scenes/friends.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let outsider: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  const names = ['ada', 'eve', 'mallory']
  const [first, second, third] = await Promise.all(names.map((name) => createPerson(server, name)))
  assert.ok(first && second && third)
  ;[ada, eve, outsider] = [first, second, third]
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

async function contents(person: Person, query: SearchMessagesQuery, at = space): Promise<string[]> {
  const { messages } = await person.client.search.space(at.id, query)
  return messages.map((message) => message.content)
}

async function say(person: Person, roomId: string, ...texts: string[]): Promise<Message[]> {
  const sent: Message[] = []
  for (const content of texts) sent.push(await person.client.messages.create(roomId, { content }))
  return sent
}

test('SEARCH-2: messages are found by words and their prefixes, single letters as whole words, newest first', async () => {
  const at = await makeSpace(ada, [eve])
  await say(ada, at.general, 'Plan A: Überraschung!', 'plan b, ΟΔΟΣ', 'a planet', 'ünder the plänes')
  assert.deepEqual(await contents(eve, { query: 'plan' }, at), [
    'ünder the plänes',
    'a planet',
    'plan b, ΟΔΟΣ',
    'Plan A: Überraschung!',
  ])
  assert.deepEqual(await contents(eve, { query: 'PLAN a' }, at), ['a planet', 'Plan A: Überraschung!'])
  assert.deepEqual(await contents(eve, { query: 'ub' }, at), ['Plan A: Überraschung!'])
  assert.deepEqual(await contents(eve, { query: 'οδος' }, at), ['plan b, ΟΔΟΣ'])
  assert.deepEqual(await contents(eve, { query: 'p' }, at), [])
  assert.deepEqual(await contents(eve, { query: 'lan' }, at), [])
})

test('SEARCH-3: a search requires a text with a word in it, or a filter', async () => {
  const path = `/api/spaces/${space.id}/messages/search`
  for (const query of [
    '',
    '?query=',
    '?query=%20%20',
    '?query=!%3F%F0%9F%8E%89',
    `?cursor=${newId()}`,
    '?limit=3',
  ]) {
    const answer = await ada.call('GET', path + query)
    assert.deepEqual([answer.status, answer.code], [400, 'empty_search'], query)
  }
  for (const filter of [
    'pinned=true',
    'pinned=false',
    'has=link',
    `room_id=${space.general}`,
    'after=2020-01-01',
    `author_id=${ada.id}`,
    `mentions=${ada.id}`,
    'before=2020-01-01T00:00:00Z',
  ])
    assert.equal((await ada.call('GET', `${path}?query=!&${filter}`)).status, 200, filter)
})

test('SEARCH-4: errors in the query come first; outsiders and bots get 403, and a hidden or foreign room is 404', async () => {
  const path = `/api/spaces/${space.id}/messages/search?query=x`
  const other = await makeSpace(outsider)
  const hidden = await ada.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  await ada.client.overwrites.upsert(space.id, hidden.id, {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const bot = await createBot(server, 'bot')
  const codeOf = async (person: Person, suffix = '') => {
    const { status, code } = await person.call('GET', path + suffix)
    return code === null ? status : `${status} ${code}`
  }
  assert.equal(await codeOf(outsider), '403 not_a_member')
  assert.equal(await codeOf(outsider, `&room_id=${space.general}`), '403 not_a_member')
  assert.equal(await codeOf(bot), '403 bots_not_allowed')
  const missing = `&room_id=${newId()}`
  for (const wrong of ['&after=yesterday', '&has=nothing', '&author_id=x', '&limit=0'])
    for (const person of [outsider, eve])
      assert.equal(await codeOf(person, missing + wrong), '400 invalid_request', wrong)
  const nothing = await outsider.call('GET', `/api/spaces/${space.id}/messages/search?query=!`)
  assert.deepEqual([nothing.status, nothing.code], [400, 'empty_search'])
  assert.equal(await codeOf(ada, `&room_id=${hidden.id}`), 200)
  assert.equal(await codeOf(eve, `&room_id=${hidden.id}`), '404 unknown_room')
  assert.equal(await codeOf(eve, `&room_id=${space.general}&room_id=${hidden.id}`), '404 unknown_room')
  assert.equal(await codeOf(ada, `&room_id=${other.general}`), '404 unknown_room')
  assert.equal(await codeOf(ada, `&room_id=${newId()}`), '404 unknown_room')
})

test('SEARCH-9: results are as in the history, of every room, with each author once', async () => {
  const at = await makeSpace(ada, [eve])
  const second = await ada.client.rooms.create(at.id, { name: 'second', type: 1 })
  const [first] = await say(ada, at.general, 'complete one')
  assert.ok(first)
  const answer = { content: `complete two <@${ada.id}>`, reference: { message_id: first.id } }
  const reply = await eve.client.messages.create(at.general, answer)
  const [third] = await say(eve, second.id, 'complete three')
  assert.ok(third)
  await ada.client.reactions.add({ channel: at.general, id: reply.id }, '👍')
  await ada.client.messages.update(at.general, first.id, { content: 'complete one, edited' })
  const { messages, users } = await ada.client.search.space(at.id, { query: 'complete' })
  const history = [
    ...(await ada.client.messages.list(second.id)),
    ...(await ada.client.messages.list(at.general)),
  ]
  assert.deepEqual(messages, history)
  assert.deepEqual(
    [messages[1]?.referenced_message?.content, messages[1]?.reactions],
    ['complete one, edited', [{ emoji: '👍', count: 1, me: true }]],
  )
  assert.deepEqual(users.map(({ id }) => id).toSorted(), [ada.id, eve.id].toSorted())
})

test('SEARCH-16: results name the threads and posts that they are in, each once', async () => {
  const at = await makeSpace(ada, [eve])
  const forum = await ada.client.rooms.create(at.id, { name: 'questions', type: 5 })
  const threads = ada.client.api(ThreadRooms)
  const post = await threads.create(forum.id, { title: 'Is the hut open?', content: 'A titled one.' })
  const thread = await threads.create(at.general, { title: 'Tents', content: 'A titled two.' })
  await say(eve, post.id, 'A titled three.')
  await say(eve, at.general, 'A titled four.')
  const { messages, threads: found } = await eve.client.search.space(at.id, { query: 'titled' })
  assert.equal(messages.length, 4)
  assert.deepEqual(found, [
    { id: post.id, room_id: forum.id, title: 'Is the hut open?' },
    { id: thread.id, room_id: at.general, title: 'Tents' },
  ])
})

test('SEARCH-10: users in a conversation can search it', async () => {
  await befriend(ada, eve)
  const { id } = await ada.client.conversations.create({ recipient_ids: [eve.id] })
  await ada.client.messages.create({ conversation: id }, { content: 'between us' })
  const { messages, users } = await eve.client.search.conversation(id, { query: 'betw' })
  assert.deepEqual(
    messages.map((message) => [message.content, message.conversation_id, message.space_id]),
    [['between us', id, null]],
  )
  assert.deepEqual(
    users.map((user) => user.id),
    [ada.id],
  )
  const refused = await outsider.call('GET', `/api/conversations/${id}/messages/search?query=betw`)
  assert.deepEqual([refused.status, refused.code], [404, 'unknown_conversation'])
})
