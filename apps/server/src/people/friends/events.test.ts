import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import {
  connect,
  type GatewayClient,
  identify,
  openSession,
  type ReceivedFrame,
  resume,
} from '#test/gateway-client.ts'
import { befriend } from '#test/scenes/friends.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let open: GatewayClient[] = []
let count = 0

before(async () => {
  server = await startTestServer()
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
})

async function listen(person: Person): Promise<GatewayClient> {
  const client = await connect(server, person)
  open.push(client)
  return client
}

/** Returns the events after READY, without presence updates. */
async function receivedBy(client: GatewayClient) {
  await client.settle()
  const frames = client.frames.filter(({ t = 'READY' }) => t !== 'READY' && t !== 'PRESENCE_UPDATE')
  return frames.map(({ t, d }) => [t, d])
}

async function readyOf(person: Person) {
  const client = await listen(person)
  const [ready] = client.heard('READY')
  const { friends, friend_requests, blocks } = Object(ready?.d)
  return { friends, friend_requests, blocks }
}

test('FRIEND-13: a request is sent to both, each with the other party, and to nobody else', async () => {
  await makeSpace(ada, [eve, kim])
  const clients = await Promise.all([ada, eve, kim].map(listen))
  const request = await ada.client.friends.sendRequest(eve.id)
  await eve.client.friends.deleteRequest(request.id)
  const again = await ada.client.friends.sendRequest(eve.id)
  await ada.client.friends.deleteRequest(again.id)
  const [toAda, toEve, toKim] = await Promise.all(clients.map(receivedBy))
  const byAda = { user_username: `eve${count}`, user_alias: null, user_avatar: null }
  const byEve = { user_id: ada.id, user_username: `ada${count}`, user_alias: null, user_avatar: null }
  const told = (party: object) =>
    [request, again].flatMap((one) => [
      ['FRIEND_REQUEST_CREATE', { ...one, ...party }],
      ['FRIEND_REQUEST_DELETE', { id: one.id }],
    ])
  assert.deepEqual(toAda, told(byAda))
  assert.deepEqual(toEve, told(byEve))
  assert.deepEqual(toKim, [])
})

test('FRIEND-13: a friendship is sent to both, its beginning with the other user', async () => {
  const request = await ada.client.friends.sendRequest(eve.id)
  const clients = await Promise.all([ada, eve, kim].map(listen))
  const asEve = await eve.client.friends.acceptRequest(request.id)
  const [asAda] = await ada.client.friends.list()
  await eve.client.friends.remove(ada.id)
  const told = (friend: unknown, other: Person) => [
    ['FRIEND_REQUEST_DELETE', { id: request.id }],
    ['FRIEND_CREATE', friend],
    ['FRIEND_DELETE', { user_id: other.id }],
  ]
  assert.deepEqual(await Promise.all(clients.map(receivedBy)), [told(asAda, eve), told(asEve, ada), []])
})

test('FRIEND-13: only its creator receives a block, and both receive what it ended', async () => {
  await befriend(ada, eve)
  const request = await kim.client.friends.sendRequest(ada.id)
  const clients = await Promise.all([ada, eve, kim].map(listen))
  const blocks = [await ada.client.friends.block(eve.id), await ada.client.friends.block(kim.id)]
  await ada.client.friends.unblock(eve.id)
  const [toAda, toEve, toKim] = await Promise.all(clients.map(receivedBy))
  assert.deepEqual(toAda, [
    ['FRIEND_DELETE', { user_id: eve.id }],
    ['BLOCK_CREATE', blocks[0]],
    ['FRIEND_REQUEST_DELETE', { id: request.id }],
    ['BLOCK_CREATE', blocks[1]],
    ['BLOCK_DELETE', { user_id: eve.id }],
  ])
  assert.deepEqual(toEve, [['FRIEND_DELETE', { user_id: ada.id }]])
  assert.deepEqual(toKim, [['FRIEND_REQUEST_DELETE', { id: request.id }]])
})

test('FRIEND-13: a refused request publishes nothing', async () => {
  await befriend(ada, eve)
  await kim.client.friends.block(ada.id)
  const before = await Promise.all([ada, eve, kim].map(({ id }) => listJournal(server, topicOf.user(id))))
  const calls = [
    ['POST', '/friends/requests', { user_id: eve.id }],
    ['POST', '/friends/requests', { user_id: kim.id }],
    ['POST', '/friends/requests', { user_id: ada.id }],
    ['POST', `/friends/requests/${newId()}/accept`],
    ['DELETE', `/friends/requests/${newId()}`],
    ['DELETE', `/friends/${kim.id}`],
    ['DELETE', `/blocks/${eve.id}`],
    ['PUT', `/blocks/${ada.id}`],
  ] as const
  for (const [method, path, body] of calls) {
    const { status } = await ada.call(method, `/api/users/@me${path}`, body)
    assert.ok(status === 400 || status === 404, `${method} ${path}: ${status}`)
  }
  const after = await Promise.all([ada, eve, kim].map(({ id }) => listJournal(server, topicOf.user(id))))
  assert.deepEqual(after, before)
})

test('FRIEND-14: READY has the friends, the requests in both directions and the blocks, as in the lists', async () => {
  const people = []
  for (const name of ['ben', 'cleo', 'dora', 'emil'])
    people.push(await createPerson(server, `${name}${count}`))
  const [ben, cleo, dora, emil] = people
  assert.ok(ben && cleo && dora && emil)
  for (const friend of [eve, kim]) await befriend(friend, ada)
  await ben.client.friends.sendRequest(ada.id)
  await ada.client.friends.sendRequest(cleo.id)
  await dora.client.friends.sendRequest(ada.id)
  await ada.client.friends.block(emil.id)
  const { friends } = ada.client
  const [received, sent] = [await friends.listRequests(), await friends.listSentRequests()]
  const requests = [...received, ...sent].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  assert.equal(requests.length, 3)
  assert.deepEqual(await readyOf(ada), {
    friends: await friends.list(),
    friend_requests: requests,
    blocks: await friends.listBlocks(),
  })
  assert.deepEqual(await readyOf(emil), { friends: [], friend_requests: [], blocks: [] })
})

test('FRIEND-14: a client that resumes receives the missed events of friends, requests and blocks', async () => {
  const identity = await openSession(server, ada.id)
  const away = await identify(server, identity)
  const place = away.heard('READY')[0]?.s ?? ''
  away.close()
  const kept = await kim.client.friends.sendRequest(ada.id)
  await befriend(eve, ada)
  await eve.client.users.updateMe({ alias: 'Eve' })
  await ada.client.friends.block(eve.id)
  const back = await resume(server, identity, place)
  open.push(back)
  const heard = back.frames.filter(({ s = '' }) => s > place)
  const names = heard.map(({ t }) => t)
  assert.deepEqual(names, [
    'FRIEND_REQUEST_CREATE',
    'FRIEND_REQUEST_CREATE',
    'FRIEND_REQUEST_DELETE',
    'FRIEND_CREATE',
    'USER_UPDATE',
    'FRIEND_DELETE',
    'BLOCK_CREATE',
  ])
  assert.equal(idOf(heard[0]), kept.id)
})

function idOf(frame: ReceivedFrame | undefined): unknown {
  return Object(frame?.d).id
}

test('FRIEND-15: no event contains an email address, a birthdate or a phone number', async () => {
  const secrets = { birthdate: '1987-06-05', phone: '+4915112345678' }
  for (const { client } of [ada, eve, kim]) await client.users.updateMe(secrets)
  const [toEve, toKim] = [await listen(eve), await listen(kim)]
  const answers: unknown[] = []
  const call = async (person: Person, method: string, path: string, body?: unknown) => {
    const answer = await person.call(method, `/api/users/@me${path}`, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    answers.push(answer.body)
    return String(Object(answer.body).id)
  }
  const id = await call(ada, 'POST', '/friends/requests', { user_id: eve.id })
  await call(kim, 'POST', '/friends/requests', { user_id: ada.id })
  for (const path of ['/friends/requests', '/friends/requests/sent']) await call(ada, 'GET', path)
  await call(eve, 'GET', '/friends/requests')
  await call(eve, 'POST', `/friends/requests/${id}/accept`)
  await call(ada, 'GET', '/friends')
  await ada.client.users.updateMe({ alias: 'Ada' })
  answers.push(Object(await readyOf(ada)))
  await call(eve, 'DELETE', `/friends/${ada.id}`)
  for (const method of ['PUT', 'GET']) await call(ada, method, `/blocks/${kim.id}`)
  await call(ada, 'GET', '/blocks')
  answers.push(Object(await readyOf(ada)), await eve.client.users.find(`ada${count}`))
  const heard = [...(await receivedBy(toEve)), ...(await receivedBy(toKim))]
  const names = new Set(heard.map(([name]) => name))
  assert.deepEqual(names.size, 5, [...names].join())
  const texts = JSON.stringify([answers, heard])
  assert.match(texts, new RegExp(`ada${count}`))
  assert.doesNotMatch(texts, /example\.org|email"|password|birthdate|phone|1987-06-05|4915112345678/)
})

test('USER-4: friends receive a change of the user with the public fields, and strangers nothing', async () => {
  await befriend(ada, eve)
  await ada.client.friends.sendRequest(kim.id)
  const clients = await Promise.all([ada, eve, kim].map(listen))
  const updated = await ada.client.users.updateMe({ alias: 'Ada', phone: '+123456789' })
  const user = await eve.client.users.get(ada.id)
  const heard = await Promise.all(clients.map(receivedBy))
  assert.deepEqual(heard, [[['USER_UPDATE', updated]], [['USER_UPDATE', user]], []])
  await eve.client.friends.remove(ada.id)
  await ada.client.users.updateMe({ alias: null })
  const [, toEve] = await Promise.all(clients.map(receivedBy))
  assert.deepEqual(toEve?.slice(1), [['FRIEND_DELETE', { user_id: ada.id }]])
})
