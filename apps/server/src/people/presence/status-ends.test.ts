import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitNoDueJobs, runJobNow } from '#test/due-jobs.ts'
import { type GatewayClient, identify, openSession } from '#test/gateway-client.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const PATH = '/api/users/@me/status'
const HOUR_MS = 3_600_000
const ONLINE = { status: 'online', status_until: null }

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

async function come({ id }: Person): Promise<GatewayClient> {
  const client = await identify(server, await openSession(server, id))
  open.push(client)
  return client
}

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Moves the end of the person's status into the past, and runs the job that ends it. */
async function letItEnd(person: Person): Promise<void> {
  await passEnd(person)
  await runJobNow(server, `end_status:${person.id}`)
}

async function passEnd({ id }: Person): Promise<void> {
  await server.deps.database.execute(
    sql`update users set chosen_until = now() - interval '1 second' where id = ${id}`,
  )
}

function lastStatus(client: GatewayClient, { id }: Person): string | undefined {
  const updates = client.heard('PRESENCE_UPDATE').map(({ text }) => JSON.parse(text).d)
  return updates.findLast(({ user_id }) => user_id === id)?.status
}

const receives = (client: GatewayClient, person: Person, status: string) =>
  client.find(() => lastStatus(client, person) === status, `${status} of ${person.id}`)

async function readyOf(client: GatewayClient): Promise<unknown> {
  const { text } = await client.findEvent('READY')
  const { status, status_until } = JSON.parse(text).d
  return { status, status_until }
}

test('PRESENCE-13: at its end a chosen status is online again, for all devices and for others', async () => {
  await makeFriends()
  const [friend, desk] = [await come(eve), await come(ada)]
  for (const status of ['dnd', 'invisible'] as const) {
    const status_until = fromNow(HOUR_MS)
    assert.deepEqual(await ada.client.users.chooseStatus({ status, status_until }), { status, status_until })
    await receives(friend, ada, status === 'dnd' ? 'dnd' : 'offline')
    assert.deepEqual(desk.heard('STATUS_UPDATE').at(-1)?.d, { status, status_until })
    assert.deepEqual(await readyOf(await come(ada)), { status, status_until })
    await letItEnd(ada)
    await Promise.all([friend, desk].map((client) => receives(client, ada, 'online')))
    assert.deepEqual(desk.heard('STATUS_UPDATE').at(-1)?.d, ONLINE)
    assert.deepEqual(await ada.client.users.status(), ONLINE)
  }
})

test('PRESENCE-13: a status ends by itself, also while nobody is connected', async () => {
  await makeFriends()
  await ada.client.users.chooseStatus({ status: 'dnd', status_until: fromNow(200) })
  await awaitNoDueJobs(server, `end_status:${ada.id}`)
  const [row] = await server.deps.database.execute<{ chosen_status: string | null }>(
    sql`select chosen_status from users where id = ${ada.id}`,
  )
  assert.deepEqual(row, { chosen_status: null })
})

test('PRESENCE-13: a status whose end passed while no process ran is over before anybody sees it', async () => {
  await makeFriends()
  const friend = await come(eve)
  const status_until = fromNow(HOUR_MS)
  await ada.client.users.chooseStatus({ status: 'invisible', status_until })
  await passEnd(ada)
  assert.deepEqual(await ada.client.users.status(), ONLINE)
  const device = await come(ada)
  assert.deepEqual(await readyOf(device), ONLINE)
  await receives(friend, ada, 'online')
})

test('PRESENCE-13: a status chosen later is not ended by the time of the one before', async () => {
  await makeFriends()
  const desk = await come(ada)
  await ada.client.users.chooseStatus({ status: 'dnd', status_until: fromNow(HOUR_MS) })
  for (const status_until of [null, fromNow(2 * HOUR_MS)]) {
    const chosen = await ada.client.users.chooseStatus({ status: 'invisible', status_until })
    await runJobNow(server, `end_status:${ada.id}`)
    await desk.settle()
    assert.deepEqual(await ada.client.users.status(), chosen)
    assert.deepEqual(desk.heard('STATUS_UPDATE').at(-1)?.d, chosen)
  }
})

test('PRESENCE-13: an end that is past is an end, and online has none', async () => {
  await makeFriends()
  await ada.client.users.chooseStatus('dnd')
  for (const body of [
    { status: 'dnd', status_until: fromNow(-1) },
    { status: 'online', status_until: fromNow(HOUR_MS) },
  ]) {
    const answer = await ada.call('PUT', PATH, body)
    assert.deepEqual([answer.status, answer.body], [200, ONLINE])
  }
  const far = await ada.call('PUT', PATH, { status: 'idle', status_until: '9999-12-31T23:59:59-12:00' })
  assert.deepEqual(far.body, { status: 'idle', status_until: '9999-12-31T23:59:59.999Z' })
})
