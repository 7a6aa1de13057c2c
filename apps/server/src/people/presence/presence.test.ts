import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { Presence } from '@foyer/protocol/presence'
import { sql } from '#src/kernel/sql/sql.ts'
import { type GatewayClient, identify, openGateway, openSession, resume } from '#test/gateway-client.ts'
import { acquaint, makeGroup } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let open: GatewayClient[] = []
let made = 0

before(async () => {
  server = await startOwnServer()
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

/** Somebody whom no other test knows. */
function newPerson(): Promise<Person> {
  made += 1
  return createPerson(server, `person${made}`)
}

/** @param presence what IDENTIFY carries */
async function come({ id }: Person, presence?: unknown): Promise<GatewayClient> {
  const client = await identify(server, { ...(await openSession(server, id)), presence })
  open.push(client)
  return client
}

/** The presences that READY told. */
async function told(client: GatewayClient): Promise<Presence[]> {
  const { d } = await client.findEvent('READY')
  return presencesOf(d)
}

function presencesOf(data: unknown): Presence[] {
  assert.ok(typeof data === 'object' && data !== null && 'presences' in data)
  assert.ok(Array.isArray(data.presences))
  return data.presences
}

/** Waits until somebody is told to be as they are expected, and answers with all that the client heard of them. */
async function hear(client: GatewayClient, { id }: Person, status: string): Promise<string[]> {
  const isIt = (d: unknown) => JSON.stringify(d).includes(`"${id}","status":"${status}"`)
  await client.find(({ t, d }) => t === 'PRESENCE_UPDATE' && isIt(d), `${status} of ${id}`)
  return heard(client, { id })
}

function heard(client: GatewayClient, { id }: { id: string }): string[] {
  const updates = client.heard('PRESENCE_UPDATE').map(({ text }) => JSON.parse(text))
  return updates.filter(({ d }) => d.user_id === id).map(({ d }) => d.status)
}

const seen = (presence: Person, status: string, custom: string | null = null) => ({
  user_id: presence.id,
  status,
  custom,
})

test('PRESENCE-1: friends and people in conversations are notified; strangers and members of a space are not', async () => {
  const [ada, eve, kim, max, zoe] = await Promise.all(Array.from({ length: 5 }, newPerson))
  assert.ok(ada && eve && kim && max && zoe)
  await acquaint(server, [ada, eve])
  await makeGroup(server, kim, [ada, eve])
  await server.deps.database.execute(
    sql`delete from friendships where user_id = ${kim.id} or friend_id = ${kim.id}`,
  )
  await makeSpace(max, [ada])
  const others = [await come(eve), await come(kim), await come(max), await come(zoe)]
  const hers = await come(ada, { status: 'idle', custom: ' tea ' })
  assert.deepEqual(await told(hers), [
    seen(ada, 'idle', 'tea'),
    ...[eve, kim].map((person) => seen(person, 'online')).sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
  ])
  const [friend, partner, member, stranger] = others
  assert.ok(friend && partner && member && stranger)
  await Promise.all([hear(friend, ada, 'idle'), hear(partner, ada, 'idle')])
  hers.send(Opcode.PresenceUpdate, { status: 'dnd' })
  assert.deepEqual(await hear(friend, ada, 'dnd'), ['idle', 'dnd'])
  assert.deepEqual(await hear(partner, ada, 'dnd'), ['idle', 'dnd'])
  await Promise.all([hers, member, stranger].map((client) => client.settle()))
  assert.deepEqual([heard(member, ada), heard(stranger, ada), heard(hers, ada)], [[], [], []])
  assert.ok(friend.heard('PRESENCE_UPDATE').every(({ s }) => s === undefined))
})

test('PRESENCE-2: an invisible user is offline for everyone else, in READY and in events, but not for themselves', async () => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  await acquaint(server, [ada, eve])
  const friend = await come(eve)
  const hidden = await come(ada, { status: 'invisible', custom: 'boo' })
  const second = await come(ada, { status: 'online' })
  assert.deepEqual(await told(hidden), [seen(ada, 'invisible', 'boo'), seen(eve, 'online')])
  assert.deepEqual(await told(second), [seen(ada, 'invisible', 'boo'), seen(eve, 'online')])
  const late = await come(eve)
  assert.deepEqual(await told(late), [seen(eve, 'online')])
  await friend.settle()
  assert.doesNotMatch(friend.frames.map(({ text }) => text).join(), /invisible|boo/)
  assert.deepEqual(heard(friend, ada), [])
  hidden.send(Opcode.PresenceUpdate, { status: 'online' })
  await Promise.all([friend, second].map((client) => hear(client, ada, 'online')))
  second.send(Opcode.PresenceUpdate, { status: 'invisible', custom: 'boo' })
  assert.deepEqual(await hear(hidden, ada, 'invisible'), ['invisible'])
  assert.deepEqual(await hear(friend, ada, 'offline'), ['online', 'offline'])
  assert.doesNotMatch(friend.frames.map(({ text }) => text).join(), /invisible|boo/)
})

test('PRESENCE-3: dnd counts first among several connections, then online, then idle', async () => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  await acquaint(server, [ada, eve])
  const friend = await come(eve)
  await come(ada, { status: 'idle' })
  await hear(friend, ada, 'idle')
  const phone = await come(ada)
  await hear(friend, ada, 'online')
  phone.send(Opcode.PresenceUpdate, { status: 'dnd', custom: 'busy' })
  await hear(friend, ada, 'dnd')
  phone.send(Opcode.PresenceUpdate, { status: 'dnd', custom: null })
  phone.close()
  await phone.closed
  await friend.find(() => heard(friend, ada).length === 5, 'the presence of the connection that is left')
  assert.deepEqual(heard(friend, ada), ['idle', 'online', 'dnd', 'dnd', 'idle'])
})

test('PRESENCE-4: a user back within 10 seconds was never gone, and otherwise is offline then', async (context) => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  await acquaint(server, [ada, eve])
  // Whole: what is added to a fraction and taken away again leaves another.
  let now = Math.round(performance.now())
  context.mock.method(performance, 'now', () => now)
  const friend = await come(eve)
  const first = await come(ada, { status: 'dnd' })
  await hear(friend, ada, 'dnd')
  const { s } = await first.findEvent('READY')
  first.close()
  await first.closed
  await friend.settle()
  const session = await openSession(server, ada.id)
  const second = await resume(server, session, s ?? '')
  open.push(second)
  const resumed = await second.findEvent('RESUMED')
  assert.deepEqual(presencesOf(resumed.d), [seen(ada, 'online'), seen(eve, 'online')])
  assert.deepEqual(await hear(friend, ada, 'online'), ['dnd', 'online'])
  second.close()
  await second.closed
  await friend.settle()
  now += 9_999
  await new Promise((resolve) => setTimeout(resolve, 600))
  await friend.settle()
  assert.deepEqual(heard(friend, ada), ['dnd', 'online'])
  assert.deepEqual((await told(await come(eve)))[1], seen(ada, 'online'))
  now += 1
  assert.deepEqual(await hear(friend, ada, 'offline'), ['dnd', 'online', 'offline'])
  assert.deepEqual(await told(await come(eve)), [seen(eve, 'online')])
})

test('PRESENCE-5: new and former friends and conversations change the audience, and a block ends it both ways', async () => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  const [hers, his] = [await come(ada), await come(eve)]
  const request = await ada.client.friends.sendRequest(eve.id)
  await eve.client.friends.acceptRequest(request.id)
  await Promise.all([hear(hers, eve, 'online'), hear(his, ada, 'online')])
  await eve.client.friends.remove(ada.id)
  await Promise.all([hear(hers, eve, 'offline'), hear(his, ada, 'offline')])
  await makeSpace(ada, [eve])
  const { id } = await ada.client.conversations.create({ recipient_ids: [eve.id] })
  await hers.find(() => heard(hers, eve).length === 3, 'the presence of a partner')
  await ada.client.messages.create({ conversation: id }, { content: 'hi' })
  await his.find(() => heard(his, ada).length === 3, 'the presence of a partner')
  await eve.client.friends.block(ada.id)
  await Promise.all([
    hers.find(() => heard(hers, eve).length === 4),
    his.find(() => heard(his, ada).length === 4),
  ])
  hers.send(Opcode.PresenceUpdate, { status: 'idle' })
  his.send(Opcode.PresenceUpdate, { status: 'idle' })
  for (const person of [ada, eve])
    assert.deepEqual(await told(await come(person, { status: 'idle' })), [seen(person, 'idle')])
  await Promise.all([hers.settle(), his.settle()])
  const course = ['online', 'offline', 'online', 'offline']
  assert.deepEqual([heard(hers, eve), heard(his, ada)], [course, course])
  await eve.client.friends.unblock(ada.id)
  await Promise.all([hear(hers, eve, 'idle'), hear(his, ada, 'idle')])
})

test('PRESENCE-5: a former friend receives nothing more, even if the database fails', async (context) => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  await acquaint(server, [ada, eve])
  const [hers, his] = [await come(ada), await come(eve)]
  await hear(hers, eve, 'online')
  const { database } = server.deps
  const query = database.query.bind(database)
  let failures = 0
  context.mock.method(database, 'query', (...asked: Parameters<typeof query>) => {
    const fails = failures < 1 && JSON.stringify(asked).includes('select friend_id as id from friendships')
    if (!fails) return query(...asked)
    failures += 1
    return Promise.reject(new Error('the database is away'))
  })
  await eve.client.friends.remove(ada.id)
  await Promise.all([hear(hers, eve, 'offline'), hear(his, ada, 'offline')])
  assert.equal(failures, 1)
})

test('PRESENCE-6: an invalid presence is an ERROR, or ignored in IDENTIFY, and the connection stays as it was', async () => {
  const ada = await newPerson()
  const client = await come(ada, null)
  const wrong = [
    null,
    {},
    [],
    'idle',
    { status: 'offline' },
    { status: 1 },
    { status: null },
    { status: 'ONLINE' },
    { status: 'idle', custom: 1 },
    { status: 'idle', custom: 'x'.repeat(129) },
  ]
  for (const d of wrong) client.send(Opcode.PresenceUpdate, d)
  await client.settle()
  const errors = client.frames.filter(({ op }) => op === Opcode.Error).map(({ d }) => d)
  assert.deepEqual(
    errors.map((d) => typeof d === 'object' && d !== null && 'code' in d && d.code),
    wrong.map(() => 'invalid_request'),
  )
  assert.deepEqual(await told(await come(ada)), [seen(ada, 'online')])
  client.send(Opcode.PresenceUpdate, { status: 'dnd', custom: 'x'.repeat(128), other: 1 })
  await client.settle()
  assert.deepEqual(await told(await come(ada)), [seen(ada, 'dnd', 'x'.repeat(128))])
  const unknown = await openGateway(server)
  open.push(unknown)
  unknown.send(Opcode.Identify, { ...(await openSession(server, ada.id)), presence: { status: 'away' } })
  assert.match(JSON.stringify(await unknown.findCommand(Opcode.Error)), /invalid_request/)
})
