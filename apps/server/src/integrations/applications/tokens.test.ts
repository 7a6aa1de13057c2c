import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { readConfig } from '#src/config.ts'
import { createLog } from '#src/kernel/log.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase } from '#test/database.ts'
import { identify } from '#test/gateway-client.ts'
import { botWith, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'

const lines: string[] = []

let server: RunningServer
let ada: Person
let cleanUp: () => Promise<void>

before(async () => {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-bots-'))])
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  server = await startServer({ config, connection: database.connection, log })
  ada = await createPerson(server, 'ada')
  cleanUp = async () => {
    await server.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
after(() => cleanUp())

const statusOf = async (token: string) => (await botWith(server, token).call('GET', '/api/users/@me')).status

test('APP-7: a new token works, the old one is refused at once, and its connections close', async () => {
  const old = await createApplicationBot(server, ada, { name: 'Renewed' })
  const other = await createApplicationBot(server, ada, { name: 'Other' })
  const [connection, second] = [
    await identify(server, { token: `Bot ${old.token}` }),
    await identify(server, { token: `Bot ${old.token}` }),
  ]
  const bystander = await identify(server, { token: `Bot ${other.token}` })
  assert.equal(await statusOf(old.token), 200)
  const { token } = await ada.client.applications.resetToken(old.id)
  assert.deepEqual([await statusOf(old.token), await statusOf(token)], [401, 200])
  assert.deepEqual(
    [await connection.closed, await second.closed],
    [CloseCode.SessionEnded, CloseCode.SessionEnded],
  )
  await bystander.settle()
  assert.equal(await statusOf(other.token), 200)
  const anew = await identify(server, { token: `Bot ${token}` })
  await anew.settle()
  for (const open of [bystander, anew]) open.close()
})

test('APP-7: one of several simultaneously created tokens works', async () => {
  const { id } = await createApplicationBot(server, ada, { name: 'Rush' })
  const made = await Promise.all([1, 2, 3].map(() => ada.client.applications.resetToken(id)))
  const statuses = await Promise.all(made.map(({ token }) => statusOf(token)))
  assert.deepEqual(statuses.toSorted(), [200, 401, 401])
})

test('APP-9: a token is in no other answer, event, row or log line', async () => {
  const first = await createApplicationBot(server, ada, { name: 'Discreet' })
  const { token } = await ada.client.applications.resetToken(first.id)
  const bot = botWith(server, token)
  const [space, eve] = [await makeSpace(ada), await createPerson(server, 'eve')]
  const answers = [
    await ada.call('PUT', `/api/spaces/${space.id}/bots/${bot.id}`),
    await bot.call('GET', '/api/users/@me'),
    await bot.call('PATCH', '/api/users/@me', { alias: 'D' }),
    await ada.call('GET', '/api/applications'),
    await ada.call('PATCH', `/api/applications/${bot.id}`, { name: 'Still discreet' }),
    await ada.call('GET', `/api/spaces/${space.id}/members`),
    await eve.call('GET', `/api/applications/${bot.id}`),
    await eve.call('GET', `/api/users/${bot.id}`),
    await ada.call('DELETE', `/api/applications/${bot.id}`),
  ]
  assert.ok(answers.every(({ status }) => status < 300))
  const [row] = await server.deps.database.query<{ text: string }>(sql`
    select concat((select string_agg(events::text, ' ') from events), (select string_agg(users::text, ' ') from users),
      (select string_agg(bot_tokens::text, ' ') from bot_tokens)) as text`)
  const rows = row?.text ?? ''
  assert.ok(rows.includes('Discreet') && lines.some((line) => line.includes('/bot/token')))
  for (const given of [first.token, token]) {
    const random = given.slice(bot.id.length + 1)
    assert.equal(random.length, 43)
    for (const text of [JSON.stringify(answers), rows, lines.join('')]) assert.ok(!text.includes(random))
  }
})
