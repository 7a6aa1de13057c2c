import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ready } from '@foyer/protocol/events'
import { MAX_UNREAD_COUNT } from '@foyer/protocol/limits'
import type { ReadState } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

async function newRoom(): Promise<string> {
  const { id } = await ada.client.rooms.create(space.id, { name: 'room', type: 1 })
  return id
}

async function say(person: Person, room: string, content: string): Promise<string> {
  const { id } = await person.client.messages.create(room, { content })
  return id
}

const counts = ({ unread_count, mention_count }: Pick<ReadState, 'unread_count' | 'mention_count'>) => [
  unread_count,
  mention_count,
]

/** Returns the unread and mention counts of the room, which READY and the API must agree on; undefined without any. */
async function countsOf(person: Person, room: string): Promise<number[] | undefined> {
  const client = await connect(server, person)
  const { d: ready }: { d: Ready } = JSON.parse(client.heard('READY')[0]?.text ?? '')
  client.close()
  const state = ready.read_states.find(({ room_id }) => room_id === room)
  const { body, status } = await person.call('GET', `/api/rooms/${room}/read-state`)
  assert.deepEqual(body, status === 200 ? (state ?? body) : body)
  return state && counts(state)
}

test('READ-6: others’ messages count, and mentions of every kind, once each', async () => {
  const room = await newRoom()
  assert.equal(await countsOf(eve, room), undefined)
  const role = await ada.client.roles.create(space.id, { name: 'cooks' })
  await ada.client.roles.assign(space.id, eve.id, role.id)
  await say(ada, room, 'plain')
  await say(ada, room, `<@${eve.id}> <@&${role.id}> @everyone`)
  await say(ada, room, `<@&${role.id}>`)
  await say(ada, room, '@everyone')
  await say(ada, room, `<@${ada.id}>`)
  await say(eve, room, `mine, <@${eve.id}>`)
  assert.deepEqual(await countsOf(eve, room), [5, 3])
  assert.deepEqual(await countsOf(ada, room), [1, 0])
  await ada.client.roles.remove(space.id, eve.id, role.id)
  assert.deepEqual(await countsOf(eve, room), [5, 2])
})

test('READ-6: the newest two thousand messages count for a user who never read, whoever wrote them', async () => {
  const room = await newRoom()
  await say(ada, room, `<@${eve.id}>`)
  const repeat = (count: number) =>
    server.deps.database.execute(sql`
    with said as (
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
      select ${space.id}, ${room}, gen_random_uuid(), last_seq + number, ${eve.id}, 'x', now()
      from message_heads, generate_series(1, ${count}::integer) as number where channel_id = ${room}
    )
    update message_heads set last_seq = last_seq + ${count}::integer where channel_id = ${room}`)
  await repeat(1999)
  assert.deepEqual(await countsOf(eve, room), [1, 1])
  await repeat(1)
  assert.deepEqual(await countsOf(eve, room), [0, 1])
  await say(ada, room, 'new')
  assert.deepEqual(await countsOf(eve, room), [1, 1])
})

test('READ-6: reading lowers the counts, and marking as unread raises them, on every device', async () => {
  const room = await newRoom()
  const first = await say(ada, room, `<@${eve.id}> one`)
  await say(ada, room, `<@${eve.id}> two`)
  const last = await say(ada, room, 'three')
  const phone = await connect(server, eve)
  for (const [id, left] of [
    [last, [0, 0]],
    [first, [2, 1]],
  ] as const) {
    await eve.client.messages.ack(room, id)
    assert.deepEqual(await countsOf(eve, room), left)
  }
  await phone.settle()
  assert.deepEqual(
    phone.heard('MESSAGE_ACK').map(({ text }) => counts(JSON.parse(text).d)),
    [
      [0, 0],
      [2, 1],
    ],
  )
  phone.close()
})

test('READ-6: deleted and edited messages no longer count', async () => {
  const room = await newRoom()
  const [one, two, three] = [
    await say(ada, room, `<@${eve.id}> one`),
    await say(ada, room, `<@${eve.id}> two`),
    await say(ada, room, `<@${eve.id}> three`),
  ]
  await ada.client.messages.update(room, one, { content: 'one' })
  assert.deepEqual(await countsOf(eve, room), [3, 2])
  await ada.client.messages.delete(room, two)
  assert.deepEqual(await countsOf(eve, room), [2, 1])
  await ada.client.messages.bulkDelete(room, [three])
  assert.deepEqual(await countsOf(eve, room), [1, 0])
  const left = await server.deps.database.query(sql`select from mentions where channel_id = ${room}`)
  assert.equal(left.length, 0)
})

test('READ-6: messages of blocked people do not count while the block lasts', async () => {
  const [room, bob] = [await newRoom(), await createPerson(server, 'bob')]
  const { code } = await ada.client.invites.create(space.id, room)
  await bob.client.invites.join(code)
  await say(bob, room, `<@${eve.id}> one`)
  await say(ada, room, `<@${eve.id}> two`)
  assert.deepEqual(await countsOf(eve, room), [2, 2])
  await eve.client.friends.block(bob.id)
  await say(bob, room, `<@${eve.id}> three`)
  assert.deepEqual(await countsOf(eve, room), [1, 1])
  // A blocked user's counts are not affected.
  await say(eve, room, `<@${bob.id}> four`)
  assert.deepEqual(await countsOf(bob, room), [2, 1])
  await eve.client.friends.unblock(bob.id)
  assert.deepEqual(await countsOf(eve, room), [3, 3])
})

test('READ-6: a room that the user may not view has no counts, and has them again with the permission', async () => {
  const room = await newRoom()
  await say(ada, room, `<@${eve.id}>`)
  const target = { room_id: room, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...target, deny_flags: Permission.ViewChannels })
  assert.equal(await countsOf(eve, room), undefined)
  const { status, code } = await eve.call('GET', `/api/rooms/${room}/read-state`)
  assert.deepEqual([status, code], [403, 'missing_permission'])
  await ada.client.overwrites.delete(space.id, room, eve.id)
  assert.deepEqual(await countsOf(eve, room), [1, 1])
})

test('READ-6: counts stop at their maximum', async () => {
  const room = await newRoom()
  await say(ada, room, `<@${eve.id}>`)
  const many = MAX_UNREAD_COUNT + 10
  await server.deps.database.execute(sql`
    with said as (
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
      select ${space.id}, ${room}, gen_random_uuid(), seq, ${ada.id}, 'x', now()
      from generate_series(2, ${many}::bigint) as seq returning *
    ), named as (
      insert into mentions (tenant_id, channel_id, target_id, seq, message_id, author_id)
      select tenant_id, channel_id, ${eve.id}, seq, id, author_id from said
    )
    update message_heads set last_seq = ${many} where channel_id = ${room}`)
  assert.deepEqual(await countsOf(eve, room), [MAX_UNREAD_COUNT, MAX_UNREAD_COUNT])
})
