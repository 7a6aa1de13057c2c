import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { forgetCredentials } from '#test/forget-credentials.ts'
import { connect, type GatewayClient, identify, openGateway, openSession } from '#test/gateway-client.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

function keep(client: GatewayClient): GatewayClient {
  open.push(client)
  return client
}

test('GATEWAY-1: a client that connects receives HELLO with the heartbeat and the resume window', async () => {
  const info = await ada.call('GET', '/api/gateway')
  assert.deepEqual(info.body, { url: `${server.url.replace('http', 'ws')}/gateway`, version: 1 })
  assert.equal((await server.fetch('/api/gateway')).status, 401)
  const client = keep(await openGateway(server))
  assert.deepEqual(client.frames[0]?.d, { heartbeat_interval: 41_250, resume_window_ms: 86_400_000 })
})

test('GATEWAY-2: people identify with both tokens, the session token in the frame or in the cookie', async () => {
  const { token, session_token } = await openSession(server, ada.id)
  const inFrame = keep(await identify(server, { token, session_token }))
  const cookie = { cookie: `a=b; service_session_token=${session_token}` }
  const inCookie = keep(await identify(server, { token }, { headers: cookie }))
  for (const client of [inFrame, inCookie]) {
    const { user } = readyOf(client)
    assert.deepEqual([user.id, user.username], [ada.id, 'ada'])
  }
  assert.notEqual(readyOf(inFrame).session_id, readyOf(inCookie).session_id)
})

test('GATEWAY-2: a bot identifies with its token and the prefix', async () => {
  const bot = await createBot(server, 'kettle')
  const { client } = bot
  const ready = Promise.withResolvers<string>()
  client.gateway.on('READY', ({ user }) => ready.resolve(user.id))
  client.gateway.connect()
  assert.equal(await ready.promise, bot.id)
  client.gateway.close()
})

test('GATEWAY-2: IDENTIFY and RESUME accept a bot’s token without a prefix, too', async () => {
  const bot = await createBot(server, 'teapot')
  for (const token of [bot.token, `Bot ${bot.token}`, `bot ${bot.token}`]) {
    const client = keep(await identify(server, { token }))
    assert.equal(readyOf(client).user.id, bot.id)
    const { s } = await client.findEvent('READY')
    const resumed = keep(await openGateway(server))
    resumed.send(Opcode.Resume, { token, s })
    await resumed.findEvent('RESUMED')
  }
  const wrong = keep(await openGateway(server))
  wrong.send(Opcode.Identify, { token: `${bot.token}x` })
  assert.equal(await wrong.closed, CloseCode.CredentialRefused)
})

test('GATEWAY-2: a wrong or incomplete credential closes with 4004', async () => {
  const [own, other] = [await openSession(server, ada.id), await openSession(server, ada.id)]
  const wrong = [
    { token: own.token },
    { token: own.token, session_token: other.session_token },
    { token: own.session_token, session_token: own.token },
    { token: `${own.token}x`, session_token: own.session_token },
    { token: 'Bot x', session_token: own.session_token },
    { token: '' },
  ]
  for (const data of wrong) {
    const client = keep(await openGateway(server))
    client.send(Opcode.Identify, data)
    assert.equal(await client.closed, CloseCode.CredentialRefused, JSON.stringify(data))
    assert.equal(client.heard('READY').length, 0)
  }
  keep(await identify(server, own))
})

test('GATEWAY-3: READY has the spaces with the rooms that the user may view, and their read states', async () => {
  const space = await makeSpace(ada, [eve])
  const overwrite = { room_id: space.general, target_id: space.id, target_type: 0, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...overwrite, deny_flags: Permission.ViewChannels })
  const hidden = await ada.client.messages.create(space.general, { content: 'x' })
  await ada.client.messages.ack(space.general, hidden.id)
  const shown = await ada.client.messages.create(space.lounge, { content: 'y' })
  await eve.client.messages.ack(space.lounge, shown.id)
  const [owner, guest] = [
    readyOf(keep(await connect(server, ada))),
    readyOf(keep(await connect(server, eve))),
  ]
  const find = (ready: ReadyData) => ready.spaces.find(({ id }) => id === space.id)
  assert.deepEqual(
    find(owner)
      ?.rooms.map(({ id }) => id)
      .sort(),
    space.rooms.map(({ id }) => id).sort(),
  )
  assert.ok(find(guest)?.rooms.every(({ id }) => id !== space.general))
  const lounge = find(guest)?.rooms.find(({ id }) => id === space.lounge)
  assert.deepEqual([lounge?.last_seq, lounge?.last_message_id], [1, shown.id])
  assert.deepEqual([find(guest)?.member.user_id, find(guest)?.member_count], [eve.id, 2])
  const read = guest.read_states.find((state) => state.room_id === space.lounge)
  assert.deepEqual(read, {
    room_id: space.lounge,
    conversation_id: null,
    last_read_seq: 1,
    unread_count: 0,
    mention_count: 0,
  })
  assert.ok(!JSON.stringify(guest).includes(space.general))
})

test('GATEWAY-3: READY has the limits for clients, and neither addresses nor passwords', async () => {
  const client = keep(await connect(server, ada))
  const { text = '', s } = client.heard('READY')[0] ?? {}
  const { server: about } = readyOf(client)
  assert.deepEqual([about.limits.message_max, about.limits.max_body_bytes], [4000, 33_554_432])
  assert.match(s ?? '', /^[0-9a-f-]{36}$/)
  assert.ok(!text.includes('example.org') && !text.includes('password_hash'))
})

test('GATEWAY-18: READY has the time of the server’s clock', async () => {
  const before = Date.now()
  const client = keep(await connect(server, ada))
  const time = Date.parse(readyOf(client).server_time)
  assert.ok(time >= before && time <= Date.now())
})

test('GATEWAY-4: heartbeats are answered, before and after IDENTIFY', async () => {
  const client = keep(await openGateway(server))
  await client.settle()
  client.send(Opcode.Identify, await openSession(server, ada.id))
  await client.settle()
  await client.findEvent('READY')
  client.send(Opcode.Heartbeat, client.heard('READY')[0]?.s)
  await client.settle()
})

test('GATEWAY-12: connections of an ended session close with 4020, and those of others stay', async () => {
  const [ending, staying] = [await openSession(server, ada.id), await openSession(server, ada.id)]
  const [first, second] = [keep(await identify(server, ending)), keep(await identify(server, ending))]
  const other = keep(await identify(server, staying))
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`delete from sessions where id = ${ending.sessionId}`)
    publishSessionEnd(transaction, ada.id, [ending.sessionId])
  })
  const { SessionEnded, CredentialRefused } = CloseCode
  assert.deepEqual(await Promise.all([first.closed, second.closed]), [SessionEnded, SessionEnded])
  await other.settle()
  assert.ok(other.frames.every((frame) => frame.t === undefined || frame.t === 'READY'))
  const again = keep(await openGateway(server))
  again.send(Opcode.Identify, ending)
  assert.equal(await again.closed, CredentialRefused)
})

test('GATEWAY-12: connections of an expired session close with 4020, and not before', async () => {
  const [ending, staying] = [await openSession(server, ada.id), await openSession(server, ada.id)]
  const end = Date.now() + 20_000
  await server.deps.database.execute(sql`
    update sessions set expires_at = ${new Date(end)} where id = ${ending.sessionId}`)
  await forgetCredentials(server, ada.id)
  const [client, other] = [keep(await identify(server, ending)), keep(await identify(server, staying))]
  server.deps.gateway.sweep({ wallMs: end - 1 })
  await client.settle()
  server.deps.gateway.sweep({ wallMs: end })
  assert.equal(await client.closed, CloseCode.SessionEnded)
  await other.settle()
})

interface ReadyData {
  user: { id: string; username: string }
  session_id: string
  server_time: string
  spaces: {
    id: string
    rooms: { id: string; last_seq: number; last_message_id: string | null }[]
    member: { user_id: string }
    member_count: number
  }[]
  read_states: { room_id: string }[]
  server: { limits: Record<string, number> }
}

function readyOf(client: GatewayClient): ReadyData {
  return JSON.parse(client.heard('READY')[0]?.text ?? '').d
}
