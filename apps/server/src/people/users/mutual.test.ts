import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { befriend } from '#test/scenes/friends.ts'
import {
  callAsNobody,
  createApplicationBot,
  createBot,
  createPerson,
  type Person,
} from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
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

const pathOf = ({ id }: { id: string }) => `/api/users/${id}/mutual`

async function listedFriends(caller: Person, user: Person): Promise<string[]> {
  return (await caller.client.users.mutual(user.id)).friends.map(({ id }) => id)
}

test('PROFILE-1: both users see the spaces that both are in, with the other’s nickname there', async () => {
  const shared = [await makeSpace(ada, [eve]), await makeSpace(kim, [ada, eve])]
  await makeSpace(ada, [kim])
  await makeSpace(eve, [kim])
  await eve.client.members.updateMe(shared[0]?.id ?? '', { nickname: 'Evening' })
  const [first, second] = shared.map(({ id }) => id).sort()
  const nicknameIn = (id: string | undefined) => (id === shared[0]?.id ? 'Evening' : null)
  assert.deepEqual((await ada.client.users.mutual(eve.id)).spaces, [
    { id: first, nickname: nicknameIn(first) },
    { id: second, nickname: nicknameIn(second) },
  ])
  assert.deepEqual(
    (await eve.client.users.mutual(ada.id)).spaces.map(({ nickname }) => nickname),
    [null, null],
  )
  await eve.client.members.leave(shared[0]?.id ?? '')
  assert.deepEqual((await ada.client.users.mutual(eve.id)).spaces, [{ id: shared[1]?.id, nickname: null }])
})

test('PROFILE-2: friends and members of a shared space see friends in common, strangers do not', async () => {
  const lea = await createPerson(server, `lea${count}`)
  await befriend(ada, kim)
  await befriend(eve, kim)
  await befriend(eve, lea)
  assert.deepEqual(await listedFriends(ada, eve), [], 'a stranger is told nobody')
  await makeSpace(ada, [eve])
  assert.deepEqual(await listedFriends(ada, eve), [kim.id])
  assert.deepEqual(await listedFriends(eve, ada), [kim.id])
  await befriend(lea, kim)
  assert.deepEqual(await listedFriends(lea, ada), [])
  await befriend(ada, lea)
  assert.deepEqual(await listedFriends(lea, ada), [kim.id], 'friends share no space here')
})

test('PROFILE-1: a deleted space is not shared, and does not reveal friends', async () => {
  const [gone, kept] = [await makeSpace(ada, [eve]), await makeSpace(kim, [ada, eve])]
  await befriend(ada, kim)
  await befriend(eve, kim)
  await ada.client.spaces.delete(gone.id)
  const { spaces, friends } = await ada.client.users.mutual(eve.id)
  assert.deepEqual([spaces.map(({ id }) => id), friends.map(({ id }) => id)], [[kept.id], [kim.id]])
  await kim.client.spaces.delete(kept.id)
  assert.deepEqual(await ada.client.users.mutual(eve.id), { spaces: [], friends: [] })
  assert.deepEqual(await eve.client.users.mutual(ada.id), { spaces: [], friends: [] })
})

test('PROFILE-2: a block does not change the answer', async () => {
  await makeSpace(ada, [eve])
  await befriend(ada, kim)
  await befriend(eve, kim)
  const before = await ada.client.users.mutual(eve.id)
  assert.deepEqual([before.spaces.length, before.friends.length], [1, 1])
  await eve.client.friends.block(ada.id)
  assert.deepEqual(await ada.client.users.mutual(eve.id), before)
  await ada.client.friends.block(eve.id)
  assert.deepEqual(await ada.client.users.mutual(eve.id), before)
})

test('PROFILE-1: at most a hundred of each are listed, friends by their usernames', async () => {
  const { database } = server.deps
  await database.execute(sql`
    with others as (
      insert into users (id, username)
      select gen_random_uuid(), 'mutual_' || lpad(n::text, 3, '0') from generate_series(1, 120) n returning id)
    insert into friendships (user_id, friend_id, since)
    select either, id, now() from others cross join unnest(${[ada.id, eve.id]}::uuid[]) as either`)
  await database.execute(sql`
    with made as (
      insert into spaces (id, name, owner_id) select gen_random_uuid(), 'Tea', ${ada.id} from generate_series(1, 120) returning id)
    insert into members (space_id, user_id, username_key)
    select id, either, 'name' from made cross join unnest(${[ada.id, eve.id]}::uuid[]) as either`)
  const { spaces, friends } = await ada.client.users.mutual(eve.id)
  const ids = spaces.map(({ id }) => id)
  assert.deepEqual([ids.length, ids], [100, ids.toSorted()])
  assert.deepEqual(
    [friends.length, friends[0]?.username, friends[99]?.username],
    [100, 'mutual_001', 'mutual_100'],
  )
})

test('PROFILE-1: spaces are shared with a bot, nothing with a deleted account, and unknown users are 404', async () => {
  const bot = await createApplicationBot(server, ada, { name: `Robot ${count}` })
  const space = await makeSpace(ada, [eve])
  await ada.client.members.addBot(space.id, bot.id)
  const withBot = await eve.client.users.mutual(bot.id)
  assert.deepEqual(withBot, { spaces: [{ id: space.id, nickname: null }], friends: [] })
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${kim.id}`)
  assert.deepEqual(await ada.client.users.mutual(kim.id), { spaces: [], friends: [] })
  assert.equal((await ada.call('GET', pathOf({ id: newId() }))).code, 'unknown_user')
  assert.equal((await ada.call('GET', pathOf({ id: 'nobody' }))).code, 'invalid_request')
})

test('PROFILE-1: bots and strangers are refused', async () => {
  const bot = await createBot(server, `robot${count}`)
  assert.equal((await bot.call('GET', pathOf(ada))).code, 'bots_not_allowed')
  assert.equal((await callAsNobody(server, 'GET', pathOf(ada))).status, 401)
})
