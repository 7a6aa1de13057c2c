import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { idTime } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  type GatewayClient,
  type Identity,
  identify,
  openGateway,
  openSession,
  type ReceivedFrame,
  resume,
} from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type Bot, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** The most a space may have. */
const OVERWRITES = 5000

let server: TestServer
let ada: Person
let bob: Person
const spaces: TestSpace[] = []
const open: GatewayClient[] = []

before(async () => {
  server = await startTestServer({ rateLimits: true })
  // Upgrades must not be refused because the machine is slow.
  server.deps.loadGuard.close()
  for (let round = 0; round < 50; round += 1) server.deps.loadGuard.observe(0)
  ada = await createPerson(server, 'ada')
  bob = await createPerson(server, 'bob')
  for (let count = 0; count < 10; count += 1) spaces.push(await makeSpace(ada))
  for (const { id } of spaces) await fill(id)
})
afterEach(() => {
  for (const client of open.splice(0)) client.close()
})
after(() => server.close())

/**
 * Inserts overwrites for unknown users in all rooms of the space, with the same result as setting them one by one.
 */
async function fill(spaceId: string): Promise<void> {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select space_id, id, gen_random_uuid(), 1, 0, 1 from rooms, generate_series(1, ${OVERWRITES / 4}::integer)
    where space_id = ${spaceId}`)
  // Drops everything cached of the space.
  await ada.client.spaces.update(spaceId, { name: 'full' })
}

/** Inserts members into all spaces: joining publishes the whole space to each. */
async function addToSpaces(userIds: readonly string[]): Promise<void> {
  await server.deps.database.execute(sql`
    insert into members (space_id, user_id, username_key)
    select space_id, users.id, username from users, unnest(${spaces.map(({ id }) => id)}::uuid[]) space_id
    where users.id = any(${userIds}::uuid[])`)
}

async function knock(person: Person): Promise<GatewayClient> {
  return knockAs(await openSession(server, person.id))
}

async function knockAs({ token, session_token }: Identity): Promise<GatewayClient> {
  const client = await openGateway(server)
  open.push(client)
  client.send(Opcode.Identify, { token, ...(session_token !== undefined && { session_token }) })
  return client
}

/** @returns the close code, or undefined after READY */
function endOf(client: GatewayClient): Promise<number | undefined> {
  return Promise.race([client.findEvent('READY').then(() => undefined), client.closed])
}

/** Identifies again and again until a connection is closed. @returns its close code */
async function identifyUntilClosed(identity: Identity): Promise<number | undefined> {
  for (let count = 0; count < 20; count += 1) {
    const client = await knockAs(identity)
    const closed = await endOf(client)
    client.close()
    if (closed !== undefined) return closed
  }
  return undefined
}

const idOf = ({ d }: ReceivedFrame): string => Object(d).id

function lastSpace(client: GatewayClient): Promise<ReceivedFrame> {
  const last = spaces.at(-1)?.id
  return client.find((frame) => frame.t === 'SPACE_CREATE' && idOf(frame) === last, 'the last space')
}

/** Returns the ids of the spaces in READY, and of the spaces after it, once all have arrived. */
async function spacesTold(client: GatewayClient): Promise<{ ready: string[]; late: string[] }> {
  const ready: string[] = Object((await client.findEvent('READY')).d).spaces.map(
    ({ id }: { id: string }) => id,
  )
  await lastSpace(client)
  return { ready, late: client.heard('SPACE_CREATE').map(idOf) }
}

test('GATEWAY-20: spaces that do not fit into READY follow it, with their unread state, and their events from then on', async () => {
  const [last] = spaces.slice(-1)
  assert.ok(last)
  await bob.client.invites.join((await ada.client.invites.create(last.id, last.general)).code)
  await bob.client.messages.create(last.general, { content: 'unread' })
  const client = await knock(ada)
  await client.findEvent('READY')
  const sent = ['one', 'two', 'three'].map((content) => bob.client.messages.create(last.general, { content }))
  const { ready, late } = await spacesTold(client)
  assert.deepEqual([...ready, ...late], spaces.map(({ id }) => id).toSorted())
  assert.equal(ready.length, 7)
  await Promise.all(sent)
  const isAck = ({ t, d }: ReceivedFrame) => t === 'MESSAGE_ACK' && Object(d).room_id === last.general
  const ack = await client.find(isAck, 'the read state')
  assert.equal(ack.s, undefined)
  const told = client.heard('SPACE_CREATE').find((frame) => idOf(frame) === last.id)
  const room = Object(told?.d).rooms.find(({ id }: { id: string }) => id === last.general)
  assert.equal(Object(ack.d).unread_count, room.last_seq)
  assert.ok(room.last_seq >= 1)
  const after = await bob.client.messages.create(last.general, { content: 'after' })
  await client.find(({ t, d }) => t === 'MESSAGE_CREATE' && Object(d).id === after.id, 'the message')
  const seqs = client.heard('MESSAGE_CREATE').map(({ d }) => Object(d).seq)
  for (let seq = room.last_seq + 1; seq <= after.seq; seq += 1) assert.ok(seqs.includes(seq), `seq ${seq}`)
})

test('JOURNAL-3: a client with spaces that follow READY identifies again instead of resuming', async () => {
  const session = await openSession(server, ada.id)
  const client = await identify(server, session)
  open.push(client)
  const { late } = await spacesTold(client)
  const { s = '' } = await client.findEvent('READY')
  client.close()
  const back = await resume(server, session, s)
  open.push(back)
  assert.equal(back.frames.at(-1)?.op, Opcode.InvalidSession)
  back.send(Opcode.Identify, session)
  assert.deepEqual((await spacesTold(back)).late, late)
})

test('GATEWAY-6: a large READY is compressed like every long frame', async () => {
  const client = await identify(server, await openSession(server, ada.id), { compress: true })
  open.push(client)
  const { text } = await client.findEvent('READY')
  assert.ok(text.length > 4_000_000)
  assert.ok((client.wire?.bytesRead ?? 0) < text.length / 2)
  await lastSpace(client)
})

test('GATEWAY-20: an ordinary READY has all spaces', async () => {
  const client = await knock(bob)
  const { d } = await client.findEvent('READY')
  assert.deepEqual(
    Object(d).spaces.map(({ id }: { id: string }) => id),
    [spaces.at(-1)?.id],
  )
  await client.settle()
  assert.equal(client.heard('SPACE_CREATE').length, 0)
})

test('ADMISSION-11: devices that identify at once are admitted one at a time, and all get in', async () => {
  const eve = await createPerson(server, 'eve')
  const lock = await holdLock(server, sql`lock table notification_settings in access exclusive mode`)
  const devices = await Promise.all(Array.from({ length: 5 }, () => knock(eve)))
  await lock.waitForBlocked(1)
  const other = await knock(bob)
  // All have been received, and would be waiting for the lock.
  for (const device of devices) await device.settle()
  await lock.release()
  const readies = await Promise.all(devices.map((device) => device.findEvent('READY')))
  const admissions = readies.map(({ s, d }) => ({
    begunAt: idTime(s ?? ''),
    endedAt: Date.parse(Object(d).server_time),
  }))
  const inOrder = admissions.toSorted((one, other) => one.begunAt - other.begunAt)
  for (const [index, { endedAt }] of inOrder.slice(0, -1).entries())
    assert.ok(endedAt <= (inOrder[index + 1]?.begunAt ?? 0))
  await other.findEvent('READY')
})

test('ADMISSION-12: a user who was sent too much in a minute is closed with 4008 at the next IDENTIFY', async () => {
  const closed = await identifyUntilClosed(await openSession(server, ada.id))
  assert.equal(closed, CloseCode.TooFastOrTooSlow)
  await (await knock(bob)).findEvent('READY')
})

test('ADMISSION-12: of devices that identify at once, those after the limit are closed', async () => {
  const eve = await createPerson(server, 'eve2')
  await addToSpaces([eve.id])
  const devices = await Promise.all(Array.from({ length: 16 }, () => knock(eve)))
  const ends = await Promise.all(devices.map(endOf))
  assert.ok(ends.includes(undefined))
  assert.ok(ends.includes(CloseCode.TooFastOrTooSlow))
})

test('RATE-18: the bots of one owner share the rows of their READYs, separately from the owner', async () => {
  const owner = await createPerson(server, 'botmaster')
  const bots: Bot[] = []
  for (const name of ['First', 'Second']) bots.push(await createApplicationBot(server, owner, { name }))
  await addToSpaces(bots.map(({ id }) => id))
  const [first, second] = bots
  assert.ok(first && second)
  assert.equal(await identifyUntilClosed({ token: first.token }), CloseCode.TooFastOrTooSlow)
  assert.equal(await endOf(await knockAs({ token: second.token })), CloseCode.TooFastOrTooSlow)
  await (await knock(owner)).findEvent('READY')
})
