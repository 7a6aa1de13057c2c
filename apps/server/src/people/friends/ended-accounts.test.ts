import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { befriend } from '#test/scenes/friends.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
/** Signed up with a password, which deletion needs. */
let leaver: Pick<Person, 'id' | 'client'>
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  const client = await server.signUp(`leaver${count}`)
  leaver = { id: (await client.users.me()).id, client }
})

const deleteAccount = () => leaver.client.users.deleteMe({ password: TEST_PASSWORD })
const journalOf = ({ id }: { id: string }) => listJournal(server, topicOf.user(id))

/** Counts rows between the account and others. */
async function countLeft(): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select (select count(*) from friendships where ${leaver.id} in (user_id, friend_id))
      + (select count(*) from friend_requests where ${leaver.id} in (sender_id, receiver_id))
      + (select count(*) from blocks where ${leaver.id} in (user_id, blocked_id)) as count`)
  return row?.count ?? 0
}

test('FRIEND-16: friends, requests in both directions and blocks end with an account, and the others receive the events', async () => {
  const people = []
  for (const name of ['ben', 'cleo', 'dora']) people.push(await createPerson(server, `${name}${count}`))
  const [ben, cleo, dora] = people
  assert.ok(ben && cleo && dora)
  const { friends } = leaver.client
  await friends.acceptRequest((await ada.client.friends.sendRequest(leaver.id)).id)
  const sent = await friends.sendRequest(eve.id)
  const received = await ben.client.friends.sendRequest(leaver.id)
  await cleo.client.friends.block(leaver.id)
  await friends.block(dora.id)
  assert.equal(await countLeft(), 6)
  const before = await Promise.all([ada, eve, ben, cleo, dora].map(journalOf))
  await deleteAccount()
  assert.equal(await countLeft(), 0)
  const after = await Promise.all([ada, eve, ben, cleo, dora].map(journalOf))
  const told = (name: string, data: object) => [{ name, audience: 0, data }]
  assert.deepEqual(
    after.map((journal, index) => journal.slice(before[index]?.length)),
    [
      told('FRIEND_DELETE', { user_id: leaver.id }),
      told('FRIEND_REQUEST_DELETE', { id: sent.id }),
      told('FRIEND_REQUEST_DELETE', { id: received.id }),
      told('BLOCK_DELETE', { user_id: leaver.id }),
      [],
    ],
  )
  assert.deepEqual(await ada.client.friends.list(), [])
  assert.deepEqual(await cleo.client.friends.listBlocks(), [])
})

test('FRIEND-16: relations between others stay', async () => {
  await befriend(ada, eve)
  const ben = await createPerson(server, `ben${count}`)
  await ben.client.friends.sendRequest(ada.id)
  await eve.client.friends.block(ben.id)
  await deleteAccount()
  assert.equal((await ada.client.friends.list()).length, 1)
  assert.equal((await ada.client.friends.listRequests()).length, 1)
  assert.equal((await eve.client.friends.listBlocks()).length, 1)
})

test('FRIEND-16: simultaneous actions of others leave nothing behind', async () => {
  const ben = await createPerson(server, `ben${count}`)
  const { id } = await leaver.client.friends.sendRequest(ada.id)
  const lock = await holdLock(server, sql`select from users where id = ${leaver.id} for no key update`)
  const accepted = ada.client.friends.acceptRequest(id)
  await lock.waitForBlocked(1)
  const deleted = deleteAccount()
  await lock.waitForBlocked(2)
  const path = `/api/users/@me/blocks/${leaver.id}`
  const late = [
    eve.call('PUT', path),
    ben.call('POST', '/api/users/@me/friends/requests', { user_id: leaver.id }),
  ]
  await lock.waitForBlocked(4)
  await lock.release()
  await Promise.all([accepted, deleted])
  const codes = (await Promise.all(late)).map(({ code }) => code)
  assert.deepEqual(codes, ['unknown_user', 'unknown_user'])
  assert.equal(await countLeft(), 0)
  const names = (await journalOf(ada)).map(({ name }) => name)
  assert.deepEqual(names.slice(-2), ['FRIEND_CREATE', 'FRIEND_DELETE'])
})
