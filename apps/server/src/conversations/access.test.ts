import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { uploadFile } from '@foyer/sdk/uploads'
import { newId } from '#src/kernel/ids.ts'
import { holdReads } from '#test/locks/held-reads.ts'
import { makeDirect, makeGroup, say } from '#test/scenes/conversations.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sendFormSlowly } from '#test/slow-forms.ts'
import { listHoldings } from '#test/storages.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
})

interface Route {
  method: string
  path: string
}

/** Lists the routes below a conversation from the API reference, with the message's and the member's ids filled in. */
async function listRoutes(ids: Record<string, string>): Promise<Route[]> {
  const response = await server.fetch('/api/docs/json')
  const { paths }: { paths: Record<string, object> } = JSON.parse(await response.text())
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/conversations/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId()),
      })),
    )
}

test('CONVERSATION-4: a conversation looks to an outsider like one that does not exist', async () => {
  const { id } = await makeGroup(server, ada, [eve])
  const ids = { conversationId: id, messageId: await say(ada, id), userId: eve.id, emoji: '%F0%9F%8D%B5' }
  const routes = await listRoutes(ids)
  assert.ok(routes.length > 25, `${routes.length} routes`)
  const absent = newId()
  for (const { method, path } of routes) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{"not": JSON'
    const query = path.endsWith('/search') ? '?query=tea' : ''
    const here = await kim.call(method, path + query, body)
    const nowhere = await kim.call(method, path.replace(id, absent) + query, body)
    assert.deepEqual([here.status, here.code], [404, 'unknown_conversation'], `${method} ${path}`)
    assert.deepEqual(here, nowhere)
    assert.equal((await callAsNobody(server, method, path)).status, 401)
  }
  assert.equal(await codeOf(kim.call('GET', '/api/conversations/x')), '400 invalid_request')
  assert.deepEqual(await kim.client.conversations.list(), [])
  assert.equal((await ada.client.messages.list({ conversation: id })).length, 1)
})

test('CONVERSATION-4: users in a conversation get a new URL of its file, and others get 404', async () => {
  const { id } = await makeDirect(server, ada, eve)
  const conversation = { conversation: id }
  const uploaded = await uploadFile(ada.client, conversation, note('large', 'large.txt'))
  const { attachments } = await ada.client.messages.createWithFiles(
    conversation,
    { attachment_ids: [uploaded] },
    [note('small', 'small.txt')],
  )
  assert.deepEqual(
    attachments.map(({ filename }) => filename),
    ['small.txt', 'large.txt'],
  )
  const [shown] = await eve.client.messages.list(conversation)
  assert.deepEqual(
    shown?.attachments.map((file) => file.id),
    attachments.map((file) => file.id),
  )
  for (const { id: fileId } of attachments) {
    const { url } = await eve.client.attachments.resign(fileId)
    assert.equal((await fetch(new URL(`${url}&stream=1`, server.url))).status, 200)
    assert.equal(await codeOf(kim.call('POST', `/attachments/${fileId}/resign`)), '404 unknown_attachment')
  }
  assert.deepEqual(
    (await listHoldings(server, id)).ids.toSorted(),
    attachments.map((file) => file.id).toSorted(),
  )
  const pending = await ada.client.attachments.create(conversation, {
    filename: 'a',
    size_bytes: 1,
    content_type: 'text/plain',
  })
  const cancel = (person: Person) =>
    codeOf(person.call('DELETE', `/api/conversations/${id}/attachments/${pending.attachment_id}`))
  assert.equal(await cancel(eve), '404 unknown_attachment')
  assert.equal(await cancel(ada), 204)
})

test('CONVERSATION-7: a blocked direct conversation is read-only for both users', async () => {
  const { id } = await makeDirect(server, ada, eve)
  const path = `/api/conversations/${id}`
  const messageId = await say(ada, id)
  const file = { filename: 'a', size_bytes: 1, content_type: 'text/plain' }
  const writing = (person: Person) =>
    Promise.all([
      codeOf(person.call('POST', `${path}/messages`, { content: 'x' })),
      codeOf(person.call('POST', `${path}/messages`, formOf(['file', note('x')]))),
      codeOf(person.call('POST', `${path}/attachments`, file)),
      codeOf(person.call('POST', `${path}/typing`)),
      codeOf(person.call('POST', `${path}/recording`)),
      codeOf(person.call('PUT', `${path}/messages/${messageId}/reactions/%F0%9F%8D%B5`)),
    ])
  const refused = Array(6).fill('403 blocked_conversation')
  const edit = () => codeOf(ada.call('PATCH', `${path}/messages/${messageId}`, { content: 'y' }))
  await ada.client.friends.block(eve.id)
  for (const person of [ada, eve]) {
    assert.deepEqual(await writing(person), refused)
    assert.deepEqual(
      (await person.client.messages.list({ conversation: id })).map((message) => message.id),
      [messageId],
    )
  }
  assert.equal(await edit(), '403 blocked_conversation')
  await eve.client.friends.block(ada.id)
  await ada.client.friends.unblock(eve.id)
  assert.equal(await edit(), '403 blocked_conversation')
  for (const person of [ada, eve]) assert.deepEqual(await writing(person), refused)
  await eve.client.friends.unblock(ada.id)
  // No longer friends, but they may talk.
  assert.equal(await edit(), 200)
  for (const person of [ada, eve]) assert.deepEqual(await writing(person), [200, 200, 200, 204, 204, 204])
})

test('CONVERSATION-7: blocks do not apply in groups', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  await ada.client.friends.block(eve.id)
  for (const person of [ada, eve, kim]) await say(person, id)
  assert.equal((await ada.client.messages.list({ conversation: id })).length, 3)
})

test('CONVERSATION-8: permissions are known without another query', async () => {
  const [direct, group] = [await makeDirect(server, ada, eve), await makeGroup(server, ada, [eve, kim])]
  for (const { id } of [direct, group]) await say(ada, id)
  const reads = await holdReads(server)
  try {
    for (const { id } of [direct, group]) {
      await say(ada, id, 'warm')
      assert.equal(await codeOf(ada.call('POST', `/api/conversations/${id}/typing`)), 204)
    }
  } finally {
    await reads.release()
  }
})

test('CONVERSATION-8: a user is refused from the answer of their removal or block on, and admitted from that of their addition on', async () => {
  const [direct, group] = [await makeDirect(server, ada, eve), await makeGroup(server, ada, [eve, kim])]
  const write = (id: string) =>
    codeOf(eve.call('POST', `/api/conversations/${id}/messages`, { content: 'x' }))
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual([await write(direct.id), await write(group.id)], [200, 200])
    await ada.client.friends.block(eve.id)
    await ada.client.conversations.removeMember(group.id, eve.id)
    assert.deepEqual(
      [await write(direct.id), await write(group.id)],
      ['403 blocked_conversation', '404 unknown_conversation'],
    )
    await ada.client.friends.unblock(eve.id)
    await kim.client.conversations.addMember(group.id, eve.id)
  }
})

test('CONVERSATION-8: a message under way when its sender was removed or blocked is not stored', async () => {
  const [direct, group] = [await makeDirect(server, ada, eve), await makeGroup(server, ada, [eve, kim])]
  const form = formOf(['content', 'said slowly'], ['file', note('slow')])
  const sendSlowly = (id: string, meanwhile: () => Promise<unknown>) =>
    sendFormSlowly(
      server,
      eve,
      { method: 'POST', path: `/api/conversations/${id}/messages`, form },
      meanwhile,
    )
  assert.equal(await sendSlowly(direct.id, () => ada.client.friends.block(eve.id)), 403)
  assert.equal(await sendSlowly(group.id, () => ada.client.conversations.removeMember(group.id, eve.id)), 404)
  for (const { id } of [direct, group]) {
    assert.deepEqual(await ada.client.messages.list({ conversation: id }), [])
    assert.deepEqual((await listHoldings(server, id)).ids, [])
  }
})

test('CONVERSATION-17: everyone in a conversation may do what members do, and nobody manages the messages of others', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  const conversation = { conversation: id }
  const path = `/api/conversations/${id}/messages`
  const first = await say(ada, id, 'tea?')
  const reply = await eve.client.messages.create(conversation, {
    content: '@everyone yes',
    reference: { message_id: first },
  })
  assert.deepEqual([reply.referenced_message?.id, reply.mention_everyone], [first, true])
  assert.deepEqual([reply.room_id, reply.conversation_id, reply.space_id], [null, id, null])
  assert.deepEqual([reply.member, reply.seq], [null, 2])
  for (const person of [eve, kim]) {
    const reaction = `${path}/${first}/reactions/${encodeURIComponent('🍵')}`
    assert.equal(await codeOf(person.call('PUT', reaction)), 204)
    assert.equal(await codeOf(person.call('PUT', `/api/conversations/${id}/pins/${first}`)), 204)
    assert.equal(
      await codeOf(person.call('PATCH', `${path}/${first}`, { content: 'x' })),
      '403 missing_permission',
    )
    assert.equal(await codeOf(person.call('DELETE', `${path}/${first}`)), '403 missing_permission')
    const bulk = person.call('POST', `${path}/bulk-delete`, { ids: [first] })
    assert.equal(await codeOf(bulk), '403 missing_permission')
  }
  const [{ reactions, pinned }] = [await ada.client.messages.get(conversation, first)]
  assert.deepEqual([reactions, pinned], [[{ emoji: '🍵', count: 2, me: false }], true])
  assert.equal(await codeOf(ada.call('DELETE', `${path}/${first}`)), 204)
})
