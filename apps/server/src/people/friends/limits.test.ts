import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  MAX_BLOCKS,
  MAX_FRIENDS,
  MAX_RECEIVED_FRIEND_REQUESTS,
  MAX_SENT_FRIEND_REQUESTS,
} from '@foyer/protocol/limits'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { befriend } from '#test/scenes/friends.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let count = 0

before(async () => {
  server = await startTestServer()
  await server.deps.database.execute(sql`
    insert into users (id, username)
    select gen_random_uuid(), 'filler' || n from generate_series(1, 1000) n`)
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
})

const REQUESTS = '/api/users/@me/friends/requests'

const ask = (person: Person, other: Person) => person.call('POST', REQUESTS, { user_id: other.id })
const accept = (person: Person, id: string) => person.call('POST', `${REQUESTS}/${id}/accept`)
const block = (person: Person, other: Person) => person.call('PUT', `/api/users/@me/blocks/${other.id}`)
const outcome = ({ status, code }: Answer) => code ?? status

async function insertFriends({ id }: Person, amount: number): Promise<void> {
  await server.deps.database.execute(sql`
    with others as (select id from users where username like 'filler%' order by id limit ${amount}),
      theirs as (insert into friendships (user_id, friend_id, since) select id, ${id}, now() from others)
    insert into friendships (user_id, friend_id, since) select ${id}, id, now() from others`)
}

async function insertSent({ id }: Person, amount: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into friend_requests (id, sender_id, receiver_id)
    select gen_random_uuid(), ${id}, id from users where username like 'filler%' order by id limit ${amount}`)
}

async function insertReceived({ id }: Person, amount: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into friend_requests (id, sender_id, receiver_id)
    select gen_random_uuid(), id, ${id} from users where username like 'filler%' order by id limit ${amount}`)
}

/** Queues the two calls at the lock of the person's row. */
async function meetAt({ id }: Person, calls: readonly (() => Promise<Answer>)[]) {
  const lock = await holdLock(server, sql`select from users where id = ${id} for no key update`)
  const answers = calls.map((call) => call())
  await lock.waitForBlocked(calls.length)
  await lock.release()
  return (await Promise.all(answers)).map(outcome).toSorted()
}

test('FRIEND-12: a user with 1000 friends gets no other, whoever sends the request and whoever accepts', async () => {
  await insertFriends(ada, MAX_FRIENDS - 1)
  const fromEve = await eve.client.friends.sendRequest(ada.id)
  const toKim = await ada.client.friends.sendRequest(kim.id)
  await befriend(await createPerson(server, `last${count}`), ada)
  for (const refused of [
    await accept(ada, fromEve.id),
    await accept(kim, toKim.id),
    await ask(ada, await createPerson(server, `one${count}`)),
    await ask(await createPerson(server, `two${count}`), ada),
  ]) {
    assert.deepEqual([refused.status, refused.code], [400, 'too_many_friends'])
    assert.deepEqual(refused.body, { error: 'one of you already has 1000 friends' })
  }
  assert.equal((await ada.client.friends.list()).length, MAX_FRIENDS)
  assert.deepEqual(await ada.client.friends.listRequests().then((all) => all.map(({ id }) => id)), [
    fromEve.id,
  ])
  const names = (await listJournal(server, topicOf.user(eve.id))).map(({ name }) => name)
  assert.deepEqual(names, ['FRIEND_REQUEST_CREATE'])
  const [friend] = await ada.client.friends.list()
  await ada.client.friends.remove(friend?.user.id ?? '')
  assert.equal((await accept(ada, fromEve.id)).status, 200)
})

test('FRIEND-12: one of two simultaneous requests makes the thousandth friend', async () => {
  await insertFriends(ada, MAX_FRIENDS - 1)
  const fromEve = await eve.client.friends.sendRequest(ada.id)
  const toKim = await ada.client.friends.sendRequest(kim.id)
  const calls = [() => accept(ada, fromEve.id), () => accept(kim, toKim.id)]
  assert.deepEqual(await meetAt(ada, calls), [200, 'too_many_friends'])
  assert.equal((await ada.client.friends.list()).length, MAX_FRIENDS)
})

test('FRIEND-12: a user has at most 100 sent requests pending, however many are sent at once', async () => {
  await insertSent(ada, MAX_SENT_FRIEND_REQUESTS - 1)
  const calls = [() => ask(ada, eve), () => ask(ada, kim)]
  assert.deepEqual(await meetAt(ada, calls), [200, 'too_many_friend_requests'])
  const sent = await ada.client.friends.listSentRequests()
  assert.equal(sent.length, MAX_SENT_FRIEND_REQUESTS)
  await ada.client.friends.deleteRequest(sent[0]?.id ?? '')
  assert.equal((await ask(ada, await createPerson(server, `new${count}`))).status, 200)
  await insertSent(eve, MAX_SENT_FRIEND_REQUESTS)
  assert.equal((await ask(kim, eve)).status, 200)
})

test('FRIEND-12: a user has at most 1000 received requests pending, however many arrive at once', async () => {
  await insertReceived(ada, MAX_RECEIVED_FRIEND_REQUESTS - 1)
  const calls = [() => ask(eve, ada), () => ask(kim, ada)]
  assert.deepEqual(await meetAt(ada, calls), [200, 'too_many_received_requests'])
  const received = await ada.client.friends.listRequests()
  assert.equal(received.length, MAX_RECEIVED_FRIEND_REQUESTS)
  await ada.client.friends.deleteRequest(received[0]?.id ?? '')
  assert.equal((await ask(await createPerson(server, `new${count}`), ada)).status, 200)
})

test('FRIEND-12: a user has at most 1000 blocks, however many are created at once', async () => {
  await server.deps.database.execute(sql`
    insert into blocks (user_id, blocked_id)
    select ${ada.id}, id from users where username like 'filler%' order by id limit ${MAX_BLOCKS - 1}`)
  const calls = [() => block(ada, eve), () => block(ada, kim)]
  assert.deepEqual(await meetAt(ada, calls), [200, 'too_many_blocks'])
  const blocks = await ada.client.friends.listBlocks()
  assert.equal(blocks.length, MAX_BLOCKS)
  const [first] = blocks
  assert.ok(first)
  assert.deepEqual(await ada.client.friends.block(first.user.id), first)
  await ada.client.friends.unblock(first.user.id)
  assert.equal((await block(ada, await createPerson(server, `new${count}`))).status, 200)
})
