import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
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

const say = (person: Person, roomId: string, content: string) =>
  person.client.messages.create(roomId, { content })

const codeOf = async (person: Person, method: string, path: string, body?: unknown) => {
  const { status, code } = await person.call(method, path, body)
  return code === null ? `${status}` : `${status} ${code}`
}

test('TROOM-1: a thread begins in a text room, from a message or without one, and has the rights of its room', async () => {
  const starter = await say(ada, space.general, 'first')
  const thread = await startThread(eve, space.general, { title: '  Tea  ', message_id: starter.id })
  assert.deepEqual(
    [
      thread.title,
      thread.room_id,
      thread.space_id,
      thread.starter_message_id,
      thread.creator_id,
      thread.type,
    ],
    ['Tea', space.general, space.id, starter.id, eve.id, 4],
  )
  assert.deepEqual([thread.own.follow, thread.message_count, thread.quiet_minutes], ['all', 0, 4320])
  const free = await startThread(ada, space.general, { title: 'Free', content: 'hello' })
  assert.deepEqual([free.starter_message_id, free.message_count, free.last_seq], [null, 1, 1])
  assert.equal(await codeOf(mallory, 'GET', `/api/threads/${thread.id}`), '403 not_a_member')
  assert.equal(await codeOf(eve, 'GET', `/api/threads/${newId()}`), '404 unknown_thread')
})

test('TROOM-1: nothing but a message of that room begins a thread', async () => {
  const other = await ada.client.rooms.create(space.id, { name: 'other', type: 1 })
  const category = await ada.client.rooms.create(space.id, { name: 'category', type: 3 })
  const elsewhere = await say(ada, other.id, 'elsewhere')
  const gone = await say(ada, space.general, 'gone')
  await ada.client.messages.delete(space.general, gone.id)
  const thread = await startThread(ada, space.general)
  const inside = await say(ada, thread.id, 'inside')
  const start = (roomId: string, body: unknown) => codeOf(ada, 'POST', `/api/rooms/${roomId}/threads`, body)
  for (const id of [elsewhere.id, gone.id, inside.id, newId()])
    assert.equal(await start(space.general, { title: 'T', message_id: id }), '404 unknown_message')
  assert.equal(await start(space.general, { title: 'T', message_id: 'x' }), '400 invalid_request')
  for (const roomId of [thread.id, space.lounge, category.id])
    assert.equal(await start(roomId, { title: 'T' }), '400 no_threads_here')
  const { id: conversation } = await makeDirect(server, ada, eve)
  assert.equal(await start(conversation, { title: 'T' }), '404 unknown_room')
  assert.equal(
    await codeOf(ada, 'POST', `/api/conversations/${conversation}/threads`, { title: 'T' }),
    '404 not_found',
  )
})

test('TROOM-2: a title has 1 to 100 characters, in one line and in its direction', async () => {
  const start = (title: unknown) => codeOf(ada, 'POST', `/api/rooms/${space.general}/threads`, { title })
  for (const title of ['', '   ', 'x'.repeat(10_000), null, 7, undefined])
    assert.equal(await start(title), '400 invalid_request')
  for (const title of ['a\u202eb', 'a\nb', 'a\u0007b', 'a\u2066b', 'a\u2028b'])
    assert.equal(await start(title), '400 invalid_title')
  for (const title of ['x', '🫖'.repeat(100), 'שלום, tea']) assert.equal(await start(title), '201')
  const thread = await startThread(ada, space.general)
  const rename = (title: unknown) => codeOf(ada, 'PATCH', `/api/threads/${thread.id}`, { title })
  assert.deepEqual(
    [await rename(''), await rename('a\u202eb'), await rename('Better')],
    ['400 invalid_request', '400 invalid_title', '200'],
  )
  assert.equal((await readThread(eve, thread.id)).title, 'Better')
})

test('TROOM-3: a message has one thread, also if two are started at once', async () => {
  const starter = await say(ada, space.general, 'both')
  const start = (person: Person) =>
    fetch(`${server.url}/api/rooms/${space.general}/threads`, {
      method: 'POST',
      headers: { ...person.credentials, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Both', message_id: starter.id }),
    })
  const answers = await Promise.all([ada, eve, ada, eve].map(start))
  const won = answers.filter(({ status }) => status === 201)
  const lost = answers.filter(({ status }) => status === 409)
  assert.deepEqual([won.length, lost.length], [1, 3])
  const [winner] = await Promise.all(won.map((answer) => answer.json()))
  for (const answer of lost) {
    assert.equal(answer.headers.get('x-error-code'), 'thread_exists')
    assert.equal(answer.headers.get('x-thread-id'), Object(winner).id)
  }
})

test('TROOM-4: messages, reactions, pins, read states and typing work in a thread as in a room', async () => {
  const thread = await startThread(ada, space.general)
  const first = await say(eve, thread.id, 'one')
  assert.deepEqual([first.room_id, first.parent_room_id, first.seq], [thread.id, space.general, 1])
  const reply = await ada.client.messages.create(thread.id, {
    content: 'two',
    reference: { message_id: first.id },
  })
  assert.deepEqual(reply, await ada.client.messages.get(thread.id, reply.id))
  await eve.client.messages.update(thread.id, first.id, { content: 'one, edited' })
  await ada.client.reactions.add({ channel: thread.id, id: first.id }, '👍')
  await ada.client.pins.add(thread.id, first.id)
  assert.deepEqual(
    (await ada.client.pins.list(thread.id)).map(({ content }) => content),
    ['one, edited'],
  )
  assert.equal(await codeOf(eve, 'POST', `/api/rooms/${thread.id}/typing`), '204')
  await ada.client.messages.ack(thread.id, reply.id)
  assert.equal((await readThread(ada, thread.id)).own.read_seq >= 2, true)
  const texts = (await eve.client.messages.list(thread.id)).map(({ content }) => content)
  assert.ok(texts.includes('two') && texts.includes('one, edited'))
  const inRoom = await eve.client.messages.list(space.general)
  assert.ok(inRoom.every(({ room_id }) => room_id === space.general))
  const before = (await readThread(ada, thread.id)).message_count
  await eve.client.messages.delete(thread.id, first.id)
  assert.equal((await readThread(ada, thread.id)).message_count, before - 1)
  await ada.client.messages.bulkDelete(thread.id, [reply.id])
  assert.equal((await readThread(ada, thread.id)).message_count, before - 2)
  assert.equal(
    await codeOf(mallory, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }),
    '403 not_a_member',
  )
})

test('TROOM-4: a thread is no room: what changes rooms does not know it', async () => {
  const thread = await startThread(ada, space.general)
  const path = `/api/spaces/${space.id}/rooms/${thread.id}`
  assert.equal(await codeOf(ada, 'PATCH', path, { name: 'x' }), '404 unknown_room')
  assert.equal(await codeOf(ada, 'DELETE', path), '404 unknown_room')
  const rooms = await ada.client.rooms.list(space.id)
  assert.ok(rooms.every(({ id }) => id !== thread.id))
})

test('TROOM-5: a hidden room hides its threads at once', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'soon hidden', type: 1 })
  const thread = await startThread(eve, room.id)
  await say(eve, thread.id, 'before')
  await insertOverwrite(server, space.id, {
    ...{ room_id: room.id, target_id: eve.id, target_type: 1, allow_flags: 0 },
    deny_flags: Permission.ViewChannels,
  })
  for (const [method, path, body] of [
    ['GET', `/api/threads/${thread.id}`],
    ['PATCH', `/api/threads/${thread.id}`, { title: 'x' }],
    ['PUT', `/api/threads/${thread.id}/follow`, { level: 'all' }],
    ['GET', `/api/rooms/${thread.id}/messages`],
    ['POST', `/api/rooms/${thread.id}/messages`, { content: 'after' }],
    ['GET', `/api/rooms/${room.id}/threads`],
  ] as const)
    assert.equal(await codeOf(eve, method, path, body), '403 missing_permission', `${method} ${path}`)
  const followed = await eve.call('GET', '/api/users/@me/threads')
  assert.ok(!JSON.stringify(followed.body).includes(thread.id))
})

test('TROOM-6: the creator and those with ManageThreads change a thread, and only these reopen what they closed', async () => {
  const thread = await startThread(eve, space.general)
  const ben = await createPerson(server, 'ben')
  const { code } = await ada.client.invites.create(space.id, space.general)
  await ben.client.invites.join(code)
  const path = `/api/threads/${thread.id}`
  assert.equal(await codeOf(ben, 'PATCH', path, { title: 'Mine' }), '403 missing_permission')
  assert.equal(await codeOf(ben, 'DELETE', path), '403 missing_permission')
  assert.equal(await codeOf(eve, 'DELETE', path), '403 missing_permission')
  assert.equal(await codeOf(eve, 'PATCH', path, { is_closed: true }), '200')
  assert.equal(
    await codeOf(ben, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }),
    '403 thread_closed',
  )
  assert.equal(await codeOf(eve, 'PATCH', path, { is_closed: false }), '200')
  assert.equal(await codeOf(ben, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }), '200')
  assert.equal(await codeOf(ada, 'PATCH', path, { is_closed: true, title: 'Closed' }), '200')
  assert.equal(await codeOf(eve, 'PATCH', path, { is_closed: false }), '403 missing_permission')
  assert.equal(
    await codeOf(eve, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }),
    '403 thread_closed',
  )
  assert.equal(await codeOf(ada, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }), '200')
  assert.equal(await codeOf(ada, 'DELETE', path), '204')
  assert.equal(await codeOf(ada, 'GET', path), '404 unknown_thread')
  assert.equal(
    await codeOf(ada, 'POST', `/api/rooms/${thread.id}/messages`, { content: 'x' }),
    '404 unknown_room',
  )
  const { entries } = await ada.client.auditLog.list(space.id, {})
  const ours = entries.filter(({ target_id }) => target_id === thread.id)
  assert.deepEqual(
    ours.map(({ action, actor_id, room_id }) => [action, actor_id, room_id]),
    [
      ['thread_delete', ada.id, space.general],
      ['thread_update', ada.id, space.general],
    ],
  )
  assert.deepEqual(ours[1]?.after, { title: 'Closed', is_closed: true })
})

test('TROOM-6: starting a thread needs CreateThreads and SendMessages; bots need to be members', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'quiet', type: 1 })
  await insertOverwrite(server, space.id, {
    ...{ room_id: room.id, target_id: eve.id, target_type: 1, allow_flags: 0 },
    deny_flags: Permission.SendMessages,
  })
  const path = `/api/rooms/${room.id}/threads`
  assert.equal(await codeOf(eve, 'POST', path, { title: 'T' }), '403 missing_permission')
  assert.equal(await codeOf(mallory, 'POST', path, { title: 'T' }), '403 not_a_member')
  assert.equal(await codeOf(await createBot(server, 'bot'), 'POST', path, { title: 'T' }), '403 not_a_member')
  assert.equal(await codeOf(ada, 'POST', path, { title: 'T' }), '201')
})

test('TROOM-7: a thread sleeps when it is quiet, by hand or by time, and a message wakes it', async () => {
  const thread = await startThread(ada, space.general, { title: 'Sleepy', quiet_minutes: 60 })
  const path = `/api/threads/${thread.id}`
  assert.equal(await codeOf(ada, 'PATCH', path, { is_asleep: true }), '200')
  assert.equal((await readThread(ada, thread.id)).is_asleep, true)
  await say(eve, thread.id, 'wake up')
  assert.equal((await readThread(ada, thread.id)).is_asleep, false)
  for (const quiet_minutes of [61, -60, '60', null])
    assert.equal(await codeOf(ada, 'PATCH', path, { quiet_minutes }), '400 invalid_request')
})
