import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  hurryToEnd,
  hurryUntil,
  makeBrowser,
  type PushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import type { Person } from '#test/scenes/people.ts'
import { type PushScene, startPushScene } from '#test/scenes/push-scene.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const BROWSERS = 20
/** Pushes that a sender may cause per minute. */
const LIMIT = 1000

let scene: PushScene
let server: TestServer
let service: PushService
let ada: Person
let kim: Person
let space: TestSpace
let refusing: Server | undefined

before(async () => {
  scene = await startPushScene('127.0.0.0/8')
  ;({ server, service, ada, space } = scene)
  kim = await scene.newMember('kim')
})
after(async () => {
  refusing?.close()
  await scene.close()
})

const newMember = (username: string) => scene.newMember(username)
const mention = (person: Person, by = ada) => scene.mention([person], by)
const arrivals = (name: string) => scene.arrivals(name)

async function subscribeAt(person: Person, endpoint: string): Promise<void> {
  const { keys } = makeBrowser(service, 'unused')
  await person.client.notifications.subscribe({ endpoint, keys })
}

test('PUSH-18: an unknown push service gets three connections at a time', async () => {
  const person = await newMember('many')
  const held: ServerResponse[] = []
  let most = 0
  for (let number = 0; number < BROWSERS; number += 1) {
    await subscribeBrowser(service, person, `many-${number}`)
    service.answer(`many-${number}`, (_request, response) => {
      held.push(response)
      most = Math.max(most, held.length)
    })
  }
  await mention(person)
  await hurryUntil(server, () => held.length >= 3, 'three are asked')
  const arrived = () => service.arrived.filter(({ path }) => path.startsWith('/many-')).length
  await until(async () => {
    for (const response of held.splice(0)) response.writeHead(201).end()
    return arrived() === BROWSERS
  }, 'all are told')
  await hurryToEnd(server)
  assert.deepEqual([most, arrived()], [3, BROWSERS])
})

/** Starts a server that closes each connection at once and counts them. */
async function startRefusing(host: string): Promise<{ port: number; count(): number }> {
  let connections = 0
  refusing = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  refusing.listen(0, host)
  await once(refusing, 'listening')
  const address = refusing.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    count: () => connections,
  }
}

test('PUSH-19: a host that answers nothing is tried a few times, and then not for other users or messages', async () => {
  const person = await newMember('shut')
  const target = await startRefusing('127.0.0.2')
  for (let number = 0; number < BROWSERS; number += 1)
    await subscribeAt(person, `http://127.0.0.2:${target.port}/${number}`)
  await mention(person)
  await hurryUntil(server, () => target.count() > 0, 'it was asked')
  await hurryToEnd(server)
  const asked = target.count()
  // Five, and two that had already begun.
  assert.ok(asked >= 5 && asked <= 7, `${asked}`)
  await subscribeBrowser(service, person, 'fine')
  await mention(person)
  await hurryUntil(server, () => arrivals('fine') === 1, 'another host is told')
  await hurryToEnd(server)
  assert.equal(target.count(), asked)
})

test('PUSH-20: a browser whose pushes fail in twenty minutes of a day is forgotten, unless one succeeds', async () => {
  const people = [await newMember('never'), await newMember('seldom')]
  const content = people.map(({ id }) => `<@${id}>`).join(' ')
  for (const [index, name] of ['never', 'seldom'].entries()) {
    await subscribeBrowser(service, people[index] ?? ada, name)
    service.answer(name, (_request, response) => response.writeHead(403).end())
  }
  const subscribed = async () => {
    const rows = await server.deps.database.query<{ username: string }>(sql`
      select username from push_subscriptions join users on users.id = user_id
      where username in ('never', 'seldom') order by username`)
    return rows.map(({ username }) => username)
  }
  let rounds = 0
  const fail = async () => {
    rounds += 1
    await ada.client.messages.create(space.general, { content })
    await hurryUntil(server, () => arrivals('seldom') === rounds, 'it was tried')
    await hurryToEnd(server)
  }
  const letPass = (interval: string) =>
    server.deps.database.execute(sql`
      update push_subscriptions set failed_at = failed_at - ${interval}::interval,
        failing_since = failing_since - ${interval}::interval`)
  // Failures of one minute count once, and those of the day before not at all.
  for (let time = 0; time < 3; time += 1) await fail()
  await letPass('1 day')
  for (let minute = 0; minute < 19; minute += 1) {
    await fail()
    await letPass('2 minutes')
  }
  assert.deepEqual(await subscribed(), ['never', 'seldom'])
  service.answer('seldom', (_request, response) => response.writeHead(201).end())
  await fail()
  assert.deepEqual(await subscribed(), ['seldom'])
  service.answer('seldom', (_request, response) => response.writeHead(403).end())
  await fail()
  assert.deepEqual(await subscribed(), ['seldom'])
})

test('PUSH-21: a sender who caused many pushes causes no more in that minute; others do, and one message reaches everyone', async () => {
  const phone = await subscribeBrowser(service, kim, 'kim')
  const loud = await newMember('loud')
  const quiet = await newMember('quiet')
  const { endpoint, keys } = makeBrowser(service, 'crowd')
  const role = await ada.client.roles.create(space.id, { name: 'crowd' })
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username) select gen_random_uuid(), 'crowd_' || place
      from generate_series(1, ${LIMIT}) as place returning id
    ), member as (
      insert into members (space_id, user_id) select ${space.id}, id from crowd
    ), held as (
      insert into member_roles (space_id, user_id, role_id) select ${space.id}, id, ${role.id} from crowd
    ), session as (
      insert into sessions (id, user_id, expires_at) select id, id, now() + interval '1 day' from crowd
    )
    insert into push_subscriptions (id, user_id, session_id, endpoint_hash, endpoint, public_key, auth_secret)
    select id, id, id, sha256(id::text::bytea), ${endpoint}, ${Buffer.from(keys.p256dh, 'base64url')},
      ${Buffer.from(keys.auth, 'base64url')} from crowd`)
  await mention(kim, loud)
  await hurryUntil(server, () => phone.pushes().length === 1, 'a first is pushed')
  await loud.client.messages.create(space.general, { content: `<@&${role.id}>` })
  await hurryUntil(server, () => arrivals('crowd') === LIMIT, 'a whole crowd is told')
  await hurryToEnd(server)
  await mention(kim, loud)
  await hurryToEnd(server)
  const last = await mention(kim, quiet)
  await hurryUntil(server, () => phone.pushes().length >= 2, 'another sender is pushed')
  assert.deepEqual([phone.pushes().length, phone.pushes().at(-1)?.message_id], [2, last.id])
})
