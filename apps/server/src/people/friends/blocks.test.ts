import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { befriend } from '#test/scenes/friends.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
})

const BLOCKS = '/api/users/@me/blocks'
const REQUESTS = '/api/users/@me/friends/requests'

const ask = (person: Person, user_id: string) => person.call('POST', REQUESTS, { user_id })

test('FRIEND-8: only its creator sees a block, in the order of creation', async () => {
  const bot = await createBot(server, `robot${count}`)
  const made = [await ada.client.friends.block(eve.id), await ada.client.friends.block(bot.id)]
  assert.deepEqual(made[0]?.user, await ada.client.users.get(eve.id))
  assert.deepEqual(await ada.client.friends.listBlocks(), made)
  assert.deepEqual(await ada.client.friends.getBlock(eve.id), made[0])
  assert.deepEqual(await eve.client.friends.listBlocks(), [])
  for (const [person, id] of [
    [eve, ada.id],
    [ada, ada.id],
    [ada, newId()],
  ] as const) {
    const answer = await person.call('GET', `${BLOCKS}/${id}`)
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_block'])
  }
})

test('FRIEND-8: blocking again, by either method, gives the same answer and publishes nothing', async () => {
  const first = await ada.client.friends.block(eve.id)
  for (const method of ['PUT', 'POST']) {
    const again = await ada.call(method, `${BLOCKS}/${eve.id}`)
    assert.deepEqual([again.status, again.body], [200, first])
  }
  assert.deepEqual(
    (await listJournal(server, topicOf.user(ada.id))).map(({ name }) => name),
    ['BLOCK_CREATE'],
  )
})

test('FRIEND-8: oneself, unknown users and deleted accounts cannot be blocked', async () => {
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${eve.id}`)
  for (const [id, status, code] of [
    [ada.id, 400, 'blocking_oneself'],
    [newId(), 404, 'unknown_user'],
    [eve.id, 404, 'unknown_user'],
    ['x', 400, 'invalid_request'],
  ] as const) {
    const answer = await ada.call('PUT', `${BLOCKS}/${id}`)
    assert.deepEqual([answer.status, answer.code], [status, code])
  }
  assert.deepEqual(await listJournal(server, topicOf.user(ada.id)), [])
})

test('FRIEND-8: a block ends when it is deleted, once, and what it ended does not come back', async () => {
  await befriend(ada, eve)
  await ada.client.friends.block(eve.id)
  const remove = (person: Person, id: string) => person.call('DELETE', `${BLOCKS}/${id}`)
  assert.equal((await remove(eve, ada.id)).code, 'unknown_block')
  const answer = await remove(ada, eve.id)
  assert.deepEqual([answer.status, answer.body], [204, undefined])
  assert.equal((await remove(ada, eve.id)).code, 'unknown_block')
  assert.equal((await remove(ada, newId())).code, 'unknown_block')
  assert.deepEqual(await ada.client.friends.listBlocks(), [])
  assert.deepEqual(await eve.client.friends.list(), [])
  assert.equal((await ask(eve, ada.id)).status, 200)
})

test('FRIEND-9: blocking ends the friendship, and a request in either direction', async () => {
  const kim = await createPerson(server, `kim${count}`)
  const bea = await createPerson(server, `bea${count}`)
  await befriend(eve, ada)
  const sent = await ada.client.friends.sendRequest(kim.id)
  const received = await bea.client.friends.sendRequest(ada.id)
  for (const person of [eve, kim, bea]) await ada.client.friends.block(person.id)
  for (const { client } of [ada, eve, kim, bea]) {
    assert.deepEqual(await client.friends.list(), [])
    assert.deepEqual(await client.friends.listRequests(), [])
    assert.deepEqual(await client.friends.listSentRequests(), [])
  }
  for (const [person, { id }] of [
    [kim, sent],
    [ada, received],
  ] as const) {
    assert.equal((await person.call('POST', `${REQUESTS}/${id}/accept`)).code, 'unknown_friend_request')
  }
})

test('FRIEND-9: a blocked user cannot be sent a request', async () => {
  await ada.client.friends.block(eve.id)
  const answer = await ask(ada, eve.id)
  assert.deepEqual([answer.status, answer.code], [400, 'user_blocked'])
  await eve.client.friends.block(ada.id)
  assert.equal((await ask(ada, eve.id)).code, 'user_blocked')
})

test('FRIEND-10: a blocked user gets the answers for an unknown user, whatever else is true of the two', async () => {
  await ada.client.friends.block(eve.id)
  const nobody = await ask(eve, newId())
  assert.deepEqual(await ask(eve, ada.id), nobody)
  assert.deepEqual(nobody, { status: 404, code: 'unknown_user', body: { error: 'user not found' } })
  await fillFriends(eve)
  await fillFriends(ada)
  await fillRequests(eve)
  assert.deepEqual(await ask(eve, ada.id), nobody)
  assert.deepEqual(await ask(eve, newId()), nobody)
})

test('FRIEND-10: a blocked friend receives the same events as when a friendship ends', async () => {
  const [kim, bea] = [await createPerson(server, `kim${count}`), await createPerson(server, `bea${count}`)]
  await befriend(ada, eve)
  await befriend(ada, kim)
  await ada.client.friends.block(eve.id)
  await ada.client.friends.remove(kim.id)
  await ada.client.friends.block(bea.id)
  await ada.client.friends.unblock(eve.id)
  await ada.client.friends.unblock(bea.id)
  const heard = async ({ id }: Person) => (await listJournal(server, topicOf.user(id))).slice(-1)
  const ended = [{ name: 'FRIEND_DELETE', audience: 0, data: { user_id: ada.id } }]
  assert.deepEqual([await heard(eve), await heard(kim), await heard(bea)], [ended, ended, []])
})

/** Gives the person as many friends as possible. */
async function fillFriends({ id }: Person): Promise<void> {
  await server.deps.database.execute(sql`
    with made as (
      insert into users (id, username) select gen_random_uuid(), 'filler' || gen_random_uuid()
      from generate_series(1, 1000) returning id
    )
    insert into friendships (user_id, friend_id, since) select ${id}, id, now() from made`)
}

/** Sends as many requests as possible. */
async function fillRequests({ id }: Person): Promise<void> {
  await server.deps.database.execute(sql`
    with made as (
      insert into users (id, username) select gen_random_uuid(), 'filler' || gen_random_uuid()
      from generate_series(1, 100) returning id
    )
    insert into friend_requests (id, sender_id, receiver_id) select gen_random_uuid(), ${id}, id from made`)
}
