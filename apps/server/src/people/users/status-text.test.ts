import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitNoDueJobs, runJobNow } from '#test/due-jobs.ts'
import { type GatewayClient, identify, openSession } from '#test/gateway-client.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let ada: Person
let made = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function makeAda(): Promise<void> {
  made += 1
  ada = await createPerson(server, `ada${made}`)
}

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

async function textOf({ client }: Person): Promise<unknown> {
  const { custom, custom_until } = await client.users.me()
  return { custom, custom_until }
}

async function letItEnd({ id }: Person): Promise<void> {
  await server.deps.database.execute(
    sql`update users set custom_until = now() - interval '1 second' where id = ${id}`,
  )
  await runJobNow(server, `end_status_text:${id}`)
}

test('USER-10: at its end a status text is cleared, for the user and for others, who never learn of the end', async () => {
  await makeAda()
  const eve = await createPerson(server, 'eve')
  await acquaint(server, [ada, eve])
  const own = await identify(server, await openSession(server, ada.id))
  const friend = await identify(server, await openSession(server, eve.id))
  const custom_until = fromNow(HOUR_MS)
  const updated = await ada.client.users.updateMe({ custom: 'Lunch', custom_until })
  assert.deepEqual([updated.custom, updated.custom_until], ['Lunch', custom_until])
  await letItEnd(ada)
  const updatesOf = (client: GatewayClient) =>
    client.heard('USER_UPDATE').map(({ text }) => JSON.parse(text).d)
  for (const client of [own, friend])
    await client.find(() => updatesOf(client).at(-1)?.custom === '', 'the text is cleared')
  assert.deepEqual(
    updatesOf(own).map((user) => [user.custom, user.custom_until]),
    [
      ['Lunch', custom_until],
      ['', null],
    ],
  )
  assert.deepEqual(
    updatesOf(friend).map((user) => [user.custom, user.custom_until]),
    [
      ['Lunch', undefined],
      ['', undefined],
    ],
  )
  assert.doesNotMatch(JSON.stringify(await eve.client.users.get(ada.id)), /custom_until/)
  for (const client of [own, friend]) client.close()
})

test('USER-10: a text ends by itself, also while nobody is connected', async () => {
  await makeAda()
  await ada.client.users.updateMe({ custom: 'Back soon', custom_until: fromNow(200) })
  await awaitNoDueJobs(server, `end_status_text:${ada.id}`)
  assert.deepEqual(await textOf(ada), { custom: '', custom_until: null })
})

test('USER-10: an end belongs to its text: another text without one has none, and the same text keeps it', async () => {
  await makeAda()
  const custom_until = fromNow(HOUR_MS)
  await ada.client.users.updateMe({ custom: 'Lunch', custom_until })
  await ada.client.users.updateMe({ custom: 'Lunch', alias: 'Ada' })
  await ada.client.users.updateMe({ alias: null })
  assert.deepEqual(await textOf(ada), { custom: 'Lunch', custom_until })
  const later = fromNow(2 * HOUR_MS)
  await ada.client.users.updateMe({ custom_until: later })
  assert.deepEqual(await textOf(ada), { custom: 'Lunch', custom_until: later })
  await ada.client.users.updateMe({ custom: 'Dinner' })
  await runJobNow(server, `end_status_text:${ada.id}`)
  assert.deepEqual(await textOf(ada), { custom: 'Dinner', custom_until: null })
  await ada.client.users.updateMe({ custom_until })
  await ada.client.users.updateMe({ custom_until: null })
  assert.deepEqual(await textOf(ada), { custom: 'Dinner', custom_until: null })
})

test('USER-10: no text has no end, and a text whose end is past is empty', async () => {
  await makeAda()
  await ada.client.users.updateMe({ custom: null, custom_until: fromNow(HOUR_MS) })
  assert.deepEqual(await textOf(ada), { custom: '', custom_until: null })
  await ada.client.users.updateMe({ custom: 'Lunch', custom_until: fromNow(-HOUR_MS) })
  assert.deepEqual(await textOf(ada), { custom: '', custom_until: null })
  const wrong = { custom: 'Lunch', custom_until: '2030-12-31T23:59:60Z' }
  assert.equal((await ada.call('PATCH', '/api/users/@me', wrong)).status, 400)
  assert.deepEqual(await textOf(ada), { custom: '', custom_until: null })
})

test('USER-10: a form sets the end, too, and an empty field removes it', async () => {
  await makeAda()
  const custom_until = fromNow(HOUR_MS)
  const send = async (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    assert.equal((await ada.call('PATCH', '/api/users/@me', form)).status, 200)
  }
  await send({ custom: 'Lunch', custom_until })
  assert.deepEqual(await textOf(ada), { custom: 'Lunch', custom_until })
  await send({ custom_until: '' })
  assert.deepEqual(await textOf(ada), { custom: 'Lunch', custom_until: null })
})
