import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Webhook } from '@foyer/protocol/webhooks'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { askByToken, deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let member: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  space = await makeSpace(owner, [member])
  webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
})
after(() => server.close())

const post = (threadId: string, body: object, path = '') =>
  deliver(server, webhook, body, { path: `${path}?wait=true&thread_id=${threadId}` })
const textsIn = async (roomId: string) =>
  (await owner.client.messages.list(roomId)).map(({ content }) => content)

test('WEBHOOK-20: thread_id posts in a thread of the room, and wakes it', async () => {
  const thread = await startThread(owner, space.general)
  await owner.call('PATCH', `/api/threads/${thread.id}`, { is_asleep: true })
  const listener = await connectForThreads(server, member)
  const { status, body } = await post(thread.id, { content: `for <@${member.id}>` })
  const { id, room_id, parent_room_id, webhook_id } = Object(body)
  assert.deepEqual([status, room_id, parent_room_id, webhook_id], [200, thread.id, space.general, webhook.id])
  const now = await readThread(member, thread.id)
  assert.deepEqual([now.is_asleep, now.message_count, now.last_message_id], [false, 1, id])
  assert.deepEqual(now.own, { follow: 'all', read_seq: 0, unread_count: 1, mention_count: 1 })
  await listener.settle()
  listener.close()
  const told = listener.heard('MESSAGE_CREATE').map(({ d }) => [Object(d).id, Object(d).room_id])
  assert.deepEqual(told, [[id, thread.id]])
  assert.deepEqual(await textsIn(space.general), [])
})

test('WEBHOOK-20: forms with files, GitHub and Slack post in threads, too', async () => {
  const { id } = await startThread(owner, space.general)
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ content: 'with a file' }))
  form.set('files[0]', new File(['leaves'], 'leaves.txt'))
  assert.equal((await post(id, form)).status, 200)
  assert.equal((await post(id, { text: 'from Slack' }, '/slack')).status, 200)
  const ping = {
    zen: 'Tea',
    hook: {},
    repository: { full_name: 'a/b' },
    action: 'started',
    sender: { login: 'x' },
  }
  const github = await deliver(server, webhook, ping, {
    path: `/github?wait=true&thread_id=${id}`,
    headers: { 'x-github-event': 'watch' },
  })
  assert.equal(github.status, 200)
  assert.deepEqual(await textsIn(id), ['', 'from Slack', 'with a file'])
  const [, , withFile] = await owner.client.messages.list(id)
  assert.equal(withFile?.attachments[0]?.filename, 'leaves.txt')
})

test('WEBHOOK-20: closed threads and threads of other rooms and spaces refuse a webhook', async () => {
  const [other, room] = [
    await makeSpace(owner),
    await owner.client.rooms.create(space.id, { name: 'other', type: 1 }),
  ]
  const closed = await startThread(owner, space.general)
  await owner.call('PATCH', `/api/threads/${closed.id}`, { is_closed: true })
  const refused = async (id: string) => {
    const { status, code } = await post(id, { content: 'lost' })
    return `${status} ${code}`
  }
  assert.equal(await refused(closed.id), '403 thread_closed')
  const [inOther, foreign] = [await startThread(owner, room.id), await startThread(owner, other.general)]
  for (const { id } of [inOther, foreign]) assert.equal(await refused(id), '404 unknown_thread')
  const gone = await startThread(owner, space.general)
  await owner.call('DELETE', `/api/threads/${gone.id}`)
  assert.equal(await refused(gone.id), '404 unknown_message')
  for (const { id } of [closed, inOther, foreign]) assert.deepEqual(await textsIn(id), [])
})

test('WEBHOOK-20: a webhook reads, edits and deletes what it posted in a thread, by its id', async () => {
  const [thread, other] = [await startThread(owner, space.general), await startThread(owner, space.general)]
  const { id } = Object((await post(thread.id, { content: 'first' })).body)
  const ask = (method: string, query: string, body?: object) =>
    askByToken(server, webhook, { method, path: `/messages/${id}${query}`, body })
  for (const query of ['', `?thread_id=${other.id}`, `?thread_id=${id}`])
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, query)).code, 'unknown_message')
  const query = `?thread_id=${thread.id}`
  assert.equal(Object((await ask('GET', query)).body).content, 'first')
  assert.equal((await ask('PATCH', query, { content: 'second' })).status, 200)
  assert.deepEqual(await textsIn(thread.id), ['second'])
  assert.equal((await ask('DELETE', query)).status, 204)
  assert.deepEqual(await textsIn(thread.id), [])
})
