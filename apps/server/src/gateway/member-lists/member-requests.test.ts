import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { MembersChunk } from '@foyer/protocol/members'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, identify } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let zoe: Person
let space: TestSpace
let hers: GatewayClient

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
  zoe = await createPerson(server, 'zoe')
  space = await makeSpace(ada, [eve, kim])
  hers = await connect(server, ada)
})
after(() => server.close())

/** Returns the answer to a request, with all its chunks joined. */
async function ask(client: GatewayClient, request: object): Promise<MembersChunk> {
  const nonce = newId()
  client.send(Opcode.RequestMembers, { space_id: space.id, ...request, nonce })
  const parts = () => chunks(client).filter((chunk) => chunk.nonce === nonce)
  await client.find(() => parts().length > 0 && parts().length === parts()[0]?.chunk_count, 'the chunks')
  const [first, ...rest] = parts()
  assert.ok(first)
  assert.deepEqual(
    parts().map(({ chunk_index }) => chunk_index),
    [...parts().keys()],
  )
  return { ...first, members: [first, ...rest].flatMap(({ members }) => members) }
}

function chunks(client: GatewayClient): MembersChunk[] {
  return client.heard('SPACE_MEMBERS_CHUNK').map(({ text }) => JSON.parse(text).d)
}

async function find(query: string, limit?: number): Promise<string[]> {
  const { members } = await ask(hers, { query, limit })
  return members.map(({ user }) => user.username)
}

/** Returns the code of the ERROR with the nonce. */
async function refusal(client: GatewayClient, op: number, data: object): Promise<string> {
  const nonce = newId()
  client.send(op, { ...data, nonce })
  const { text } = await client.find(
    (frame) => frame.op === Opcode.Error && frame.text.includes(nonce),
    'the refusal',
  )
  return JSON.parse(text).d.code
}

test('REQUEST-1: a query finds members by the beginning of a username, alias or nickname, ignoring case and accents', async () => {
  assert.deepEqual(await find('e'), ['eve'])
  await eve.client.users.updateMe({ alias: 'Zoë Ångström' })
  await kim.client.members.updateMe(space.id, { nickname: 'ŽOLA' })
  assert.deepEqual(await find('ZO'), ['eve', 'kim'])
  assert.deepEqual(await find('zoe a'), ['eve'])
  assert.deepEqual(await find('zola'), ['kim'])
  assert.deepEqual(await find('ång'), [])
  assert.deepEqual(await find(''), ['ada', 'eve', 'kim'])
  assert.deepEqual(await find('', 1), ['ada'])
  assert.deepEqual(await find('%'), [])
  await eve.client.users.updateMe({ alias: null, username: 'eva' })
  await kim.client.members.updateMe(space.id, { nickname: null })
  assert.deepEqual([await find('zo'), await find('eve'), await find('eva')], [[], [], ['eva']])
})

test('REQUEST-2: ids find members with their users, and not_found has the others', async () => {
  const stranger = newId()
  const { members, not_found } = await ask(hers, { user_ids: [kim.id, stranger, zoe.id, kim.id] })
  assert.deepEqual(members, [await ada.client.members.get(space.id, kim.id)])
  assert.deepEqual(not_found, [stranger, zoe.id])
  assert.doesNotMatch(hers.frames.at(-1)?.text ?? '', /example\.org|birthdate|phone|password|_key/)
})

test('REQUEST-3: presences has the members who are not offline, without invisible, blocked and blocking ones', async () => {
  const [his, hidden] = [await connect(server, eve), await connect(server, kim)]
  const present = async () => (await ask(hers, { query: '' })).presences.map(({ user_id }) => user_id).sort()
  assert.deepEqual(await present(), [ada.id, eve.id, kim.id].sort())
  hidden.send(Opcode.PresenceUpdate, { status: 'invisible', custom: 'boo' })
  await hidden.settle()
  assert.deepEqual(await present(), [ada.id, eve.id].sort())
  await eve.client.friends.block(ada.id)
  assert.deepEqual(await present(), [ada.id])
  const { presences } = await ask(his, { query: '' })
  assert.deepEqual(
    presences.map(({ user_id }) => user_id),
    [eve.id],
  )
  assert.doesNotMatch(hers.frames.map(({ text }) => text).join(), /invisible|boo/)
  await eve.client.friends.unblock(ada.id)
})

test('REQUEST-4: only members can send requests, bots included, and an invalid request is an ERROR with its nonce', async () => {
  const bot = await createBot(server, 'robo')
  const outsider = await connect(server, zoe)
  assert.equal(
    await refusal(outsider, Opcode.RequestMembers, { space_id: space.id, query: '' }),
    'not_a_member',
  )
  assert.equal(await refusal(hers, Opcode.RequestMembers, { space_id: newId(), query: '' }), 'not_a_member')
  const wrong = [
    {},
    { query: '', user_ids: [] },
    { query: null },
    { query: 5 },
    { query: 'x'.repeat(65) },
    { user_ids: kim.id },
    { user_ids: ['x'] },
    { user_ids: Array.from({ length: 101 }, () => kim.id) },
    { query: '', limit: 0 },
    { query: '', limit: 101 },
    { query: '', limit: null },
    { query: '', limit: 1.5 },
    { query: '', space_id: 5 },
  ]
  const asker = await connect(server, ada)
  for (const request of wrong)
    assert.equal(
      await refusal(asker, Opcode.RequestMembers, { space_id: space.id, ...request }),
      'invalid_request',
      JSON.stringify(request),
    )
  const robot = await identify(server, { token: `Bot ${bot.token}` })
  const request = { space_id: space.id, query: 'ada' }
  assert.equal(await refusal(robot, Opcode.RequestMembers, request), 'not_a_member')
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id, username_key) values (${space.id}, ${bot.id}, 'robo')`,
  )
  assert.equal((await ask(robot, { query: 'ro' })).members.length, 1)
})

test('REQUEST-5: a connection may send 20 requests in 10 seconds, then gets an ERROR', async () => {
  const client = await connect(server, eve)
  for (let count = 0; count < 20; count += 1) await ask(client, { user_ids: [kim.id] })
  const request = { space_id: space.id, query: '' }
  assert.equal(await refusal(client, Opcode.RequestMembers, request), 'rate_limited')
  await ask(await connect(server, eve), { user_ids: [kim.id] })
})

test('REQUEST-5: a user may send 40 requests in 10 seconds over all connections, then gets an ERROR', async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => connect(server, kim)))
  for (const client of clients.slice(0, 4))
    await Promise.all(Array.from({ length: 10 }, () => ask(client, { user_ids: [kim.id] })))
  const request = { space_id: space.id, query: '' }
  for (const client of clients)
    assert.equal(await refusal(client, Opcode.RequestMembers, request), 'rate_limited')
  await ask(hers, { user_ids: [kim.id] })
})

test('REQUEST-5: requests of one user are answered one after the other, and others do not wait for them', async () => {
  const max = await createPerson(server, 'max')
  await join(max, ada, space)
  const clients = await Promise.all(Array.from({ length: 3 }, () => connect(server, max)))
  const warm = await Promise.all([hers, ...clients].map((client) => ask(client, { user_ids: [max.id] })))
  assert.equal(warm.length, 4)
  const lock = await holdLock(server, sql`lock table members in access exclusive mode`)
  const answers = clients.map((client) => ask(client, { user_ids: [max.id] }))
  await lock.waitForBlocked(1)
  const other = ask(hers, { user_ids: [max.id] })
  await lock.waitForBlocked(2)
  const [waiting] = await server.deps.database.execute<{ count: number }>(sql`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await lock.release()
  await Promise.all([...answers, other])
  assert.equal(waiting?.count, 2)
})

test('REQUEST-6: many members are sent in several chunks, and a query of a large space reads only the members found', async () => {
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username) select gen_random_uuid(), 'crowd_' || place from generate_series(1, 5000) as place
      returning id, username
    )
    insert into members (space_id, user_id, username_key) select ${space.id}, id, username from crowd`)
  await server.deps.database.execute(sql`analyze members`)
  const { members, chunk_count } = await ask(hers, { query: 'CROWD' })
  assert.deepEqual([members.length, chunk_count], [100, 2])
  const plan = await server.deps.database.query<{ 'QUERY PLAN': string }>(sql`
    explain select user_id from members
    where space_id = ${space.id} and username_key >= 'crowd_77' and username_key < 'crowd_78'
    order by username_key, user_id limit 100`)
  assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /members_by_username/)
})
