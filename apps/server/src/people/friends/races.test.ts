import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { befriend } from '#test/scenes/friends.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
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

const REQUESTS = '/api/users/@me/friends/requests'

const ask = (person: Person, other: Person) => person.call('POST', REQUESTS, { user_id: other.id })
const accept = (person: Person, id: string) => person.call('POST', `${REQUESTS}/${id}/accept`)
const remove = (person: Person, id: string) => person.call('DELETE', `${REQUESTS}/${id}`)
const block = (person: Person, other: Person) => person.call('PUT', `/api/users/@me/blocks/${other.id}`)
const outcome = ({ status, code }: Answer) => code ?? status

function holdUser({ id }: Person): Promise<HeldLock> {
  return holdLock(server, sql`select from users where id = ${id} for no key update`)
}

/** Queues the calls, in order, at the lock of the person's row. Returns their outcomes. */
async function meetAt(person: Person, calls: readonly (() => Promise<Answer>)[]) {
  const lock = await holdUser(person)
  const answers: Promise<Answer>[] = []
  for (const call of calls) {
    answers.push(call())
    await lock.waitForBlocked(answers.length)
  }
  await lock.release()
  return (await Promise.all(answers)).map(outcome)
}

async function between() {
  return {
    friends: (await ada.client.friends.list()).length + (await eve.client.friends.list()).length,
    requests:
      (await ada.client.friends.listSentRequests()).length +
      (await eve.client.friends.listSentRequests()).length,
  }
}

async function namesOf({ id }: Person): Promise<string[]> {
  return (await listJournal(server, topicOf.user(id))).map(({ name }) => name)
}

test('FRIEND-11: one of two users who send each other requests at once succeeds', async () => {
  for (const held of [ada, eve]) {
    const calls = [() => ask(ada, eve), () => ask(eve, ada)]
    assert.deepEqual(await meetAt(held, calls), [200, 'request_pending'])
    assert.deepEqual(await between(), { friends: 0, requests: 1 })
    const [request] = await eve.client.friends.listRequests()
    await ada.client.friends.deleteRequest(request?.id ?? '')
  }
  const names = ['FRIEND_REQUEST_CREATE', 'FRIEND_REQUEST_DELETE']
  for (const person of [ada, eve]) assert.deepEqual(await namesOf(person), [...names, ...names])
})

test('FRIEND-11: several simultaneous requests by one user create one', async () => {
  const calls = Array.from({ length: 4 }, () => () => ask(ada, eve))
  const [first, ...others] = await meetAt(eve, calls)
  assert.deepEqual([first, new Set(others)], [200, new Set(['request_pending'])])
  assert.deepEqual(await between(), { friends: 0, requests: 1 })
})

test('FRIEND-11: accepting twice at once makes one friendship, published once', async () => {
  const { id } = await ada.client.friends.sendRequest(eve.id)
  const calls = [() => accept(eve, id), () => accept(eve, id)]
  assert.deepEqual(await meetAt(ada, calls), [200, 'unknown_friend_request'])
  assert.deepEqual(await between(), { friends: 2, requests: 0 })
  const names = ['FRIEND_REQUEST_CREATE', 'FRIEND_REQUEST_DELETE', 'FRIEND_CREATE']
  assert.deepEqual([await namesOf(ada), await namesOf(eve)], [names, names])
})

test('FRIEND-11: the first of simultaneous accepting, withdrawing and rejecting counts', async () => {
  for (const [turn, status, friends] of [
    [0, 200, 2],
    [1, 204, 0],
    [2, 204, 0],
  ] as const) {
    const { id } = await ada.client.friends.sendRequest(eve.id)
    const calls = [() => accept(eve, id), () => remove(ada, id), () => remove(eve, id)]
    const answers = await meetAt(eve, [...calls.slice(turn), ...calls.slice(0, turn)])
    assert.deepEqual(answers, [status, 'unknown_friend_request', 'unknown_friend_request'])
    assert.deepEqual(await between(), { friends, requests: 0 })
    await ada.call('DELETE', `/api/users/@me/friends/${eve.id}`)
  }
})

test('FRIEND-11: a request and a block at once leave no request, in either order', async () => {
  for (const blocker of [ada, eve]) {
    const other = blocker === ada ? eve : ada
    const calls = [() => block(blocker, other), () => ask(other, blocker), () => ask(blocker, other)]
    assert.deepEqual(await meetAt(blocker, calls), [200, 'unknown_user', 'user_blocked'])
    assert.deepEqual(await between(), { friends: 0, requests: 0 })
    await blocker.client.friends.unblock(other.id)
    assert.deepEqual(
      await meetAt(blocker, [() => ask(other, blocker), () => block(blocker, other)]),
      [200, 200],
    )
    assert.deepEqual(await between(), { friends: 0, requests: 0 })
    await blocker.client.friends.unblock(other.id)
  }
})

test('FRIEND-11: accepting and a block at once leave no friends, in either order', async () => {
  for (const [blocker, other] of [
    [ada, eve],
    [eve, ada],
  ] as const) {
    const { id } = await ada.client.friends.sendRequest(eve.id)
    const blocked = () => block(blocker, other)
    assert.deepEqual(await meetAt(ada, [blocked, () => accept(eve, id)]), [200, 'unknown_friend_request'])
    assert.deepEqual(await between(), { friends: 0, requests: 0 })
    await blocker.client.friends.unblock(other.id)
    const again = await ada.client.friends.sendRequest(eve.id)
    assert.deepEqual(await meetAt(ada, [() => accept(eve, again.id), blocked]), [200, 200])
    assert.deepEqual(await between(), { friends: 0, requests: 0 })
    await blocker.client.friends.unblock(other.id)
  }
})

test('FRIEND-11: one of two users who end the friendship or the block at once succeeds', async () => {
  await befriend(ada, eve)
  const unfriend = (person: Person, other: Person) =>
    person.call('DELETE', `/api/users/@me/friends/${other.id}`)
  const calls = [() => unfriend(ada, eve), () => unfriend(eve, ada)]
  assert.deepEqual(await meetAt(ada, calls), [204, 'unknown_friend'])
  await ada.client.friends.block(eve.id)
  const unblock = () => ada.call('DELETE', `/api/users/@me/blocks/${eve.id}`)
  assert.deepEqual(await meetAt(eve, [unblock, unblock]), [204, 'unknown_block'])
})

test('FRIEND-11: blocking twice at once is published once', async () => {
  assert.deepEqual(await meetAt(eve, [() => block(ada, eve), () => block(ada, eve)]), [200, 200])
  assert.deepEqual(await namesOf(ada), ['BLOCK_CREATE'])
})

test('FRIEND-11: a user deleted at the same time is 404', async () => {
  const lock = await holdLock(
    server,
    sql`update users set deleted_at = now(), username = ${`gone${count}`} where id = ${eve.id}`,
  )
  const answers = [ask(ada, eve), block(ada, eve)]
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await Promise.all(answers)).map(outcome), ['unknown_user', 'unknown_user'])
  assert.deepEqual(await namesOf(ada), [])
})

test('FRIEND-11: a change of profile during the acceptance is published after the friendship', async () => {
  const { id } = await ada.client.friends.sendRequest(eve.id)
  const rename = () => eve.call('PATCH', '/api/users/@me', { alias: 'New' })
  assert.deepEqual(await meetAt(eve, [() => accept(eve, id), rename]), [200, 200])
  assert.deepEqual((await namesOf(ada)).slice(-2), ['FRIEND_CREATE', 'USER_UPDATE'])
})

test('FRIEND-11: many simultaneous actions between many users cause no deadlock', async () => {
  const people = await Promise.all(
    Array.from({ length: 5 }, (_, index) => createPerson(server, `crowd${count}.${index}`)),
  )
  const pairs = people.flatMap((person) =>
    people.filter((other) => other !== person).map((other) => [person, other] as const),
  )
  const answers = await Promise.all(
    [...pairs, ...pairs, ...pairs].map(([person, other], index) =>
      index % 3 === 0 ? block(person, other) : ask(person, other),
    ),
  )
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500),
    [],
  )
})
