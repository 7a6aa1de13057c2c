import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { befriend } from '#test/scenes/friends.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

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

const REQUESTS = '/api/users/@me/friends/requests'

const ask = (person: Person, body: unknown) => person.call('POST', REQUESTS, body)
const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id)
const friendIdsOf = async (person: Person) => (await person.client.friends.list()).map(({ user }) => user.id)

async function pendingOf({ client }: Person) {
  return {
    received: idsOf(await client.friends.listRequests()),
    sent: idsOf(await client.friends.listSentRequests()),
  }
}

test('FRIEND-1: the answer to the sender of a request leaves out the receiver’s profile', async () => {
  await eve.client.users.updateMe({ alias: 'Eve' })
  const answer = await ask(ada, { user_id: eve.id })
  assert.equal(answer.status, 200)
  const { id, created_at, ...parties } = Object(answer.body)
  assert.deepEqual(parties, { sender_id: ada.id, receiver_id: eve.id, user_id: eve.id })
  const request = { id, created_at, ...parties }
  const other = { user_username: `eve${count}`, user_alias: 'Eve', user_avatar: null }
  assert.deepEqual(await ada.client.friends.listSentRequests(), [{ ...request, ...other }])
})

test('FRIEND-2: only the receiver and the sender see a request', async () => {
  const request = await ada.client.friends.sendRequest(eve.id)
  const other = { user_id: ada.id, user_username: `ada${count}`, user_alias: null, user_avatar: null }
  assert.deepEqual(await eve.client.friends.listRequests(), [{ ...request, ...other }])
  assert.deepEqual(await pendingOf(eve), { received: [request.id], sent: [] })
  assert.deepEqual(await pendingOf(ada), { received: [], sent: [request.id] })
  assert.deepEqual(await pendingOf(kim), { received: [], sent: [] })
})

test('FRIEND-2: requests and friends are listed in the order of their creation', async () => {
  const people = []
  for (let n = 0; n < 4; n += 1) people.push(await createPerson(server, `many${count}.${n}`))
  const [first, second, third, fourth] = people
  assert.ok(first && second && third && fourth)
  const toAda = [
    await first.client.friends.sendRequest(ada.id),
    await second.client.friends.sendRequest(ada.id),
  ]
  const byAda = [
    await ada.client.friends.sendRequest(fourth.id),
    await ada.client.friends.sendRequest(third.id),
  ]
  assert.deepEqual(await pendingOf(ada), { received: idsOf(toAda), sent: idsOf(byAda) })
  await ada.client.friends.acceptRequest(toAda[1]?.id ?? '')
  await ada.client.friends.acceptRequest(toAda[0]?.id ?? '')
  await third.client.friends.acceptRequest(byAda[1]?.id ?? '')
  assert.deepEqual(await friendIdsOf(ada), [second.id, first.id, third.id])
})

test('FRIEND-3: accepting makes the two friends from then on, and ends the request', async () => {
  const { id } = await ada.client.friends.sendRequest(eve.id)
  const friend = await eve.client.friends.acceptRequest(id)
  assert.deepEqual(friend.user, await eve.client.users.get(ada.id))
  assert.deepEqual(await eve.client.friends.list(), [friend])
  assert.deepEqual(await ada.client.friends.list(), [
    { user: await ada.client.users.get(eve.id), since: friend.since },
  ])
  for (const person of [ada, eve]) assert.deepEqual(await pendingOf(person), { received: [], sent: [] })
  assert.deepEqual(await kim.client.friends.list(), [])
})

test('FRIEND-3: only the receiver can accept; for everyone else, and a second time, it is 404', async () => {
  const { id } = await ada.client.friends.sendRequest(eve.id)
  const accept = (person: Person, requestId: string) => person.call('POST', `${REQUESTS}/${requestId}/accept`)
  for (const [person, requestId] of [
    [ada, id],
    [kim, id],
    [eve, newId()],
    [eve, ada.id],
  ] as const) {
    const answer = await accept(person, requestId)
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_friend_request'])
  }
  assert.deepEqual(await friendIdsOf(eve), [])
  assert.equal((await accept(eve, id)).status, 200)
  assert.equal((await accept(eve, id)).code, 'unknown_friend_request')
  assert.equal((await accept(eve, 'x')).code, 'invalid_request')
})

test('FRIEND-4: the receiver rejects and the sender withdraws a request; for everyone else it is 404', async () => {
  const remove = (person: Person, id: string) => person.call('DELETE', `${REQUESTS}/${id}`)
  for (const person of [eve, ada]) {
    const { id } = await ada.client.friends.sendRequest(eve.id)
    assert.equal((await remove(kim, id)).code, 'unknown_friend_request')
    assert.equal((await remove(eve, newId())).code, 'unknown_friend_request')
    assert.deepEqual(await pendingOf(eve), { received: [id], sent: [] })
    const answer = await remove(person, id)
    assert.deepEqual([answer.status, answer.body], [204, undefined])
    assert.deepEqual(await pendingOf(eve), { received: [], sent: [] })
    assert.equal((await remove(person, id)).code, 'unknown_friend_request')
  }
  assert.equal((await remove(eve, 'x')).code, 'invalid_request')
  assert.deepEqual(await friendIdsOf(ada), [])
})

test('FRIEND-5: oneself, bots, friends, and users with a pending request cannot be sent one', async () => {
  const bot = await createBot(server, `robot${count}`)
  await befriend(ada, kim)
  await eve.client.friends.sendRequest(ada.id)
  for (const [person, other, code] of [
    [ada, ada, 'befriending_oneself'],
    [ada, bot, 'befriending_bot'],
    [ada, kim, 'already_friends'],
    [kim, ada, 'already_friends'],
    [eve, ada, 'request_pending'],
    [ada, eve, 'request_pending'],
  ] as const) {
    const answer = await ask(person, { user_id: other.id })
    assert.deepEqual([answer.status, answer.code], [400, code])
  }
  assert.deepEqual((await pendingOf(ada)).sent, [])
})

test('FRIEND-5: a user who does not exist, or is deleted, is 404', async () => {
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${kim.id}`)
  for (const user_id of [newId(), kim.id, (await ada.client.spaces.create({ name: 'Tea' })).space.id]) {
    const answer = await ask(ada, { user_id })
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_user'])
    assert.deepEqual(answer.body, { error: 'user not found' })
  }
})

for (const body of [
  {},
  { user_id: null },
  { user_id: 1 },
  { user_id: 'eve' },
  { user_id: [] },
  [],
  null,
  '{',
]) {
  test(`FRIEND-5: ${JSON.stringify(body)} is an invalid request: 400`, async () => {
    const answer = await ask(ada, body)
    assert.equal(answer.status, 400)
    assert.match(String(answer.code), /^invalid_/)
  })
}

test('FRIEND-6: either of two friends ends the friendship for both, once', async () => {
  const remove = (person: Person, id: string) => person.call('DELETE', `/api/users/@me/friends/${id}`)
  for (const [person, other] of [
    [ada, eve],
    [eve, ada],
  ] as const) {
    await befriend(ada, eve)
    for (const id of [kim.id, person.id, newId()]) {
      const answer = await remove(person, id)
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_friend'])
    }
    const answer = await remove(person, other.id)
    assert.deepEqual([answer.status, answer.body], [204, undefined])
    assert.deepEqual([await friendIdsOf(ada), await friendIdsOf(eve)], [[], []])
    assert.equal((await remove(person, other.id)).code, 'unknown_friend')
    assert.equal((await remove(other, person.id)).code, 'unknown_friend')
  }
  assert.equal((await remove(ada, 'x')).code, 'invalid_request')
})

test('FRIEND-7: friends and blocks are for people', async () => {
  const bot = await createBot(server, `robot${count}`)
  const { id } = await ada.client.friends.sendRequest(eve.id)
  for (const [method, path, body] of [
    ['GET', '/friends'],
    ['DELETE', `/friends/${ada.id}`],
    ['POST', '/friends/requests', { user_id: ada.id }],
    ['GET', '/friends/requests'],
    ['GET', '/friends/requests/sent'],
    ['POST', `/friends/requests/${id}/accept`],
    ['DELETE', `/friends/requests/${id}`],
    ['GET', '/blocks'],
    ['GET', `/blocks/${ada.id}`],
    ['PUT', `/blocks/${ada.id}`],
    ['POST', `/blocks/${ada.id}`],
    ['DELETE', `/blocks/${ada.id}`],
  ] as const) {
    const answer = await bot.call(method, `/api/users/@me${path}`, body)
    assert.deepEqual([answer.status, answer.code], [403, 'bots_not_allowed'], `${method} ${path}`)
    assert.equal((await callAsNobody(server, method, `/api/users/@me${path}`)).status, 401)
  }
})
