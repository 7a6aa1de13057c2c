import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { chosenStatuses } from '@foyer/protocol/presence'
import { type GatewayClient, identify, openSession, resume } from '#test/gateway-client.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const PATH = '/api/users/@me/status'

let server: TestServer
let ada: Person
let eve: Person
let open: GatewayClient[] = []
let made = 0

before(async () => {
  server = await startTestServer()
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function makeFriends(): Promise<void> {
  made += 1
  ada = await createPerson(server, `ada${made}`)
  eve = await createPerson(server, `eve${made}`)
  await acquaint(server, [ada, eve])
}

/** @param presence sent in IDENTIFY */
async function come({ id }: Person, presence?: unknown): Promise<GatewayClient> {
  const client = await identify(server, { ...(await openSession(server, id)), presence })
  open.push(client)
  return client
}

async function leave(client: GatewayClient): Promise<void> {
  client.close()
  await client.closed
}

/** Returns the user's own status in READY: chosen, and shown. */
async function ownStatus(client: GatewayClient, { id }: Person): Promise<string[]> {
  const { text } = await client.findEvent('READY')
  const { status, presences } = JSON.parse(text).d
  return [status, presences.find((presence: { user_id: string }) => presence.user_id === id).status]
}

/** Returns all statuses of the person that the client received in PRESENCE_UPDATE. */
function received(client: GatewayClient, { id }: Person): string[] {
  const updates = client.heard('PRESENCE_UPDATE').map(({ text }) => JSON.parse(text).d)
  return updates.filter(({ user_id }) => user_id === id).map(({ status }) => status)
}

/** A chosen status without an end. */
const endless = (status: string) => ({ status, status_until: null })

const receives = (client: GatewayClient, person: Person, status: string) =>
  client.find(() => received(client, person).at(-1) === status, `${status} of ${person.id}`)

test('PRESENCE-11: a chosen status outlives all connections, and a new device shows no other before it', async () => {
  for (const [status, shown] of [
    ['dnd', ['dnd']],
    ['invisible', []],
  ] as const) {
    await makeFriends()
    const friend = await come(eve)
    await ada.client.users.chooseStatus(status)
    for (const presence of [undefined, { status: 'idle' }]) {
      const device = await come(ada, presence)
      assert.deepEqual(await ownStatus(device, ada), [status, status])
      await leave(device)
    }
    await friend.settle()
    assert.deepEqual(received(friend, ada), shown)
    assert.deepEqual(await ada.client.users.status(), endless(status))
  }
})

test('PRESENCE-11: a user hides at once, even a moment after their last device disconnected', async () => {
  await makeFriends()
  const friend = await come(eve)
  const device = await come(ada)
  await receives(friend, ada, 'online')
  await leave(device)
  await ada.client.users.chooseStatus('invisible')
  await receives(friend, ada, 'offline')
})

test('PRESENCE-11: a status chosen on one device applies to all, and only they receive it', async () => {
  await makeFriends()
  const [friend, desk, phone] = [await come(eve), await come(ada), await come(ada)]
  for (const status of ['dnd', 'invisible', 'idle', 'online'] as const) {
    const answer = await ada.call('PUT', PATH, { status })
    assert.deepEqual([answer.status, answer.body], [200, endless(status)])
    await Promise.all([desk, phone].map((client) => receives(client, ada, status)))
    await receives(friend, ada, status === 'invisible' ? 'offline' : status)
    assert.deepEqual(
      [desk, phone].map((client) => client.heard('STATUS_UPDATE').at(-1)?.d),
      [endless(status), endless(status)],
    )
  }
  assert.deepEqual(friend.heard('STATUS_UPDATE'), [])
  assert.doesNotMatch(friend.frames.map(({ text }) => text).join(), /invisible/)
})

test('PRESENCE-11: a chosen status hides no less than a connection does, and idle replaces online', async () => {
  await makeFriends()
  const desk = await come(ada)
  const shown = []
  for (const chosen of chosenStatuses) {
    await ada.client.users.chooseStatus(chosen)
    for (const status of chosenStatuses) {
      desk.send(Opcode.PresenceUpdate, { status })
      await desk.settle()
      const late = await come(ada, { status: 'idle' })
      shown.push((await ownStatus(late, ada))[1])
      await leave(late)
    }
  }
  assert.deepEqual(shown, [
    ...['online', 'idle', 'dnd', 'invisible'],
    ...['idle', 'idle', 'dnd', 'invisible'],
    ...['dnd', 'dnd', 'dnd', 'invisible'],
    ...['invisible', 'invisible', 'invisible', 'invisible'],
  ])
})

test('PRESENCE-11: a device that was away receives the choice when it resumes', async () => {
  await makeFriends()
  const desk = await come(ada)
  const { s } = await desk.findEvent('READY')
  await leave(desk)
  await ada.client.users.chooseStatus('dnd')
  assert.ok(s !== undefined)
  const back = await resume(server, await openSession(server, ada.id), s)
  open.push(back)
  await back.findEvent('RESUMED')
  assert.deepEqual(
    back.heard('STATUS_UPDATE').map(({ d }) => d),
    [endless('dnd')],
  )
  assert.match(JSON.stringify(back.heard('RESUMED')), new RegExp(`${ada.id}.*dnd`))
})

test('PRESENCE-12: an invalid status is refused and changes nothing; bots can choose, strangers cannot', async () => {
  await makeFriends()
  await ada.client.users.chooseStatus('dnd')
  const desk = await come(ada)
  const wrong = [
    null,
    [],
    {},
    { status: null },
    { status: 1 },
    { status: 'DND' },
    { status: 'offline' },
    { status: 'idle', status_until: 'tomorrow' },
    { status: 'idle', status_until: 1 },
    // A leap second matches the format, but cannot be stored.
    { status: 'idle', status_until: '2030-12-31T23:59:60Z' },
    'dnd',
  ]
  for (const body of wrong) {
    const answer = await ada.call('PUT', PATH, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
  }
  await desk.settle()
  assert.deepEqual([desk.heard('STATUS_UPDATE'), await ada.client.users.status()], [[], endless('dnd')])
  const answers = await Promise.all(['GET', 'PUT'].map((method) => callAsNobody(server, method, PATH)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401],
  )
  const bot = await createBot(server, 'robot')
  const answer = await bot.call('PUT', PATH, { status: 'idle' })
  assert.deepEqual([answer.status, answer.body], [200, endless('idle')])
  assert.deepEqual(await ada.client.users.status(), endless('dnd'))
})
