import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Announcements } from '@foyer/sdk/api/announcements'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { runJobNow } from '#test/due-jobs.ts'
import { connect, identify, openGateway, openSession, resume } from '#test/gateway-client.ts'
import { createOperator } from '#test/scenes/operators.ts'
import {
  type Bot,
  callAsNobody,
  createApplicationBot,
  createPerson,
  type Person,
} from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { START_ANNOUNCEMENT, startAnnouncement } from './actions.ts'
import { sweepAnnouncements } from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const BASE = '/api/operator/announcements'

let server: TestServer
let ada: Person
let bob: Person
let bot: Bot

before(async () => {
  server = await startOwnServer()
  ada = await createOperator(server, 'ada')
  bob = await createPerson(server, 'bob')
  bot = await createApplicationBot(server, bob, { name: 'Robot', username: 'robot' })
})
after(() => server.close())
beforeEach(() => changeDirectly(sql`delete from announcements`))

/** Changes rows behind the back of the server, which keeps its list for a second. */
async function changeDirectly(change: Query): Promise<void> {
  await server.deps.database.execute(change)
  server.deps.currentAnnouncements.drop()
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const announcements = (person: Person) => person.client.api(Announcements)
const write = (text: string, more: { starts_at?: string; ends_at?: string } = {}) =>
  announcements(ada).create({ text, ends_at: inMs(HOUR_MS), ...more })

/** Texts that a person sees. */
async function textsFor(person: Person): Promise<string[]> {
  const { announcements: current } = await announcements(person).list()
  return current.map(({ text }) => text)
}

test('ANNOUNCE-1: every person who is connected gets an announcement at once, and others ask for it; bots ask, too', async () => {
  const gateways = [await connect(server, ada), await connect(server, bob)]
  const robot = await openGateway(server)
  robot.send(2, { token: bot.token })
  await robot.findEvent('READY')
  const made = await write('  Back at noon.  ')
  assert.deepEqual([made.text, made.kind], ['Back at noon.', 'info'])
  for (const gateway of gateways)
    assert.deepEqual((await gateway.findEvent('ANNOUNCEMENTS_UPDATE')).d, { announcements: [made] })
  assert.deepEqual(await announcements(bob).list(), { announcements: [made] })
  assert.deepEqual(await announcements(bot).list(), { announcements: [made] })
  await bob.client.spaces.create({ name: 'Later' })
  assert.deepEqual(robot.heard('ANNOUNCEMENTS_UPDATE'), [])
  for (const gateway of [...gateways, robot]) gateway.close()
})

test('ANNOUNCE-1: a connection that was away gets it with its RESUME', async () => {
  const identity = await openSession(server, bob.id)
  const before = await identify(server, identity)
  const { s = '' } = await before.findEvent('READY')
  before.close()
  await before.closed
  const made = await write('While you were away')
  const back = await resume(server, identity, s)
  // Also repeats events of shortly before, in case they were late.
  assert.deepEqual(back.heard('ANNOUNCEMENTS_UPDATE').at(-1)?.d, { announcements: [made] })
  back.close()
})

test('ANNOUNCE-2: only operators write, change and end announcements, and see those to come', async () => {
  const { id } = await write('Ours')
  const body = { text: 'Mine', ends_at: inMs(HOUR_MS) }
  const calls = [
    ['GET', BASE, undefined],
    ['POST', BASE, body],
    ['PATCH', `${BASE}/${id}`, { text: 'Mine' }],
    ['DELETE', `${BASE}/${id}`, undefined],
  ] as const
  for (const [method, path, sent] of calls) {
    assert.equal((await bob.call(method, path, sent)).code, 'operator_only', method)
    assert.equal((await bot.call(method, path, sent)).status, 403, method)
    assert.equal((await callAsNobody(server, method, path)).status, 401, method)
  }
  assert.equal((await callAsNobody(server, 'GET', '/api/announcements')).status, 401)
  assert.deepEqual(await textsFor(bob), ['Ours'])
})

test('ANNOUNCE-3: the text has 1 to 500 characters, is kept as it is, and wrong bodies change nothing', async () => {
  const hostile = '<script>alert(1)</script> **no** &amp; \u202Egnirts https://example.org'
  assert.equal((await write(hostile)).text, hostile)
  const ends_at = inMs(HOUR_MS)
  assert.equal((await write('😀'.repeat(500))).text.length, 1000)
  const wrong = [
    {},
    { text: 'a' },
    { text: '   ', ends_at },
    { text: 'a'.repeat(501), ends_at },
    { text: 'a', ends_at: 'tomorrow' },
    { text: 'a', ends_at: null },
    { text: 'a', ends_at, starts_at: 5 },
    { text: 'a', ends_at, kind: 'danger' },
    { text: 7, ends_at },
    { text: 'a\u0000b', ends_at },
  ]
  for (const body of wrong) {
    const { status, code } = await ada.call('POST', BASE, body)
    assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(body))
  }
  assert.equal((await announcements(ada).listAll()).length, 2)
})

test('ANNOUNCE-4: an announcement ends in the future, after its start, within 30 days', async () => {
  const [past, soon] = [inMs(-1000), inMs(HOUR_MS)]
  const wrong = [
    { ends_at: past },
    { starts_at: inMs(2 * HOUR_MS), ends_at: soon },
    { starts_at: soon, ends_at: soon },
    { ends_at: inMs(30 * DAY_MS + HOUR_MS) },
    { starts_at: inMs(31 * DAY_MS), ends_at: inMs(32 * DAY_MS) },
    { starts_at: soon, ends_at: '9999-12-31T23:59:59.999Z' },
  ]
  for (const times of wrong)
    await assert.rejects(write('Never', times), { status: 400, code: 'invalid_announcement_times' })
  const { id, starts_at } = await write('Now', { starts_at: inMs(-DAY_MS) })
  assert.ok(Date.now() - Date.parse(starts_at) < HOUR_MS, 'a start in the past is now')
  await assert.rejects(announcements(ada).update(id, { ends_at: past }), {
    code: 'invalid_announcement_times',
  })
  assert.deepEqual(await textsFor(bob), ['Now'])
})

test('ANNOUNCE-4: one that begins later is shown at its start, without a request', async () => {
  const gateway = await connect(server, bob)
  const { id } = await write('Later', { starts_at: inMs(HOUR_MS), ends_at: inMs(2 * HOUR_MS) })
  assert.deepEqual(await textsFor(bob), [])
  assert.deepEqual(
    (await announcements(ada).listAll()).map(({ text }) => text),
    ['Later'],
  )
  await changeDirectly(sql`update announcements set starts_at = now() where id = ${id}`)
  await runJobNow(server, `${START_ANNOUNCEMENT}:${id}`)
  const { d } = await gateway.findEvent('ANNOUNCEMENTS_UPDATE')
  assert.match(JSON.stringify(d), /"text":"Later"/)
  gateway.close()
})

test('ANNOUNCE-4: what nobody sees is not published: changes of one to come, and the start of one that was moved or ended', async () => {
  const gateway = await connect(server, bob)
  const times = { starts_at: inMs(HOUR_MS), ends_at: inMs(3 * HOUR_MS) }
  const [moved, ended] = [await write('Moved', times), await write('Ended', times)]
  await announcements(ada).update(moved.id, { text: 'Moved!', starts_at: inMs(2 * HOUR_MS) })
  await startAnnouncement(server.deps, moved.id)
  await announcements(ada).end(ended.id)
  await startAnnouncement(server.deps, ended.id)
  const jobs = await server.deps.database.query<{ key: string }>(sql`
    select key from graphile_worker.jobs where key in (
      ${`${START_ANNOUNCEMENT}:${moved.id}`}, ${`${START_ANNOUNCEMENT}:${ended.id}`})`)
  assert.deepEqual(jobs, [{ key: `${START_ANNOUNCEMENT}:${moved.id}` }])
  const shown = await write('Now')
  assert.deepEqual((await gateway.findEvent('ANNOUNCEMENTS_UPDATE')).d, { announcements: [shown] })
  assert.equal(gateway.heard('ANNOUNCEMENTS_UPDATE').length, 1)
  gateway.close()
})

test('ANNOUNCE-1: those who ask at once get one list, and a change is in the next answer', async () => {
  const { currentAnnouncements: current } = server.deps
  assert.equal(await current.list(), await current.list())
  const made = await write('New')
  assert.deepEqual(await announcements(bob).list(), { announcements: [made] })
  await announcements(ada).end(made.id)
  assert.deepEqual(await announcements(bob).list(), { announcements: [] })
})

test('ANNOUNCE-5: operators change one or end it early, for everybody at once; then it is gone', async () => {
  const { id, starts_at, edited_at } = await write('First')
  const gateway = await connect(server, bob)
  const changed = await announcements(ada).update(id, { text: 'Second', kind: 'warning' })
  assert.deepEqual([changed.text, changed.kind, changed.starts_at], ['Second', 'warning', starts_at])
  assert.ok(changed.edited_at >= edited_at)
  assert.deepEqual((await gateway.findEvent('ANNOUNCEMENTS_UPDATE')).d, { announcements: [changed] })
  const longer = await announcements(ada).update(id, { ends_at: inMs(DAY_MS) })
  assert.equal(longer.edited_at, changed.edited_at, 'people who have closed it do not see it again')
  const count = (await announcements(ada).listAll()).length
  assert.deepEqual(await announcements(ada).update(id, {}), longer)
  assert.equal(count, 1)
  await announcements(ada).end(id)
  await until(async () => gateway.heard('ANNOUNCEMENTS_UPDATE').length === 3, 'three changes are published')
  assert.deepEqual(gateway.heard('ANNOUNCEMENTS_UPDATE').at(-1)?.d, { announcements: [] })
  const gone = { status: 404, code: 'unknown_announcement' }
  await assert.rejects(announcements(ada).end(id), gone)
  await assert.rejects(announcements(ada).update(id, { text: 'No' }), gone)
  gateway.close()
})

test('ANNOUNCE-5: after its end it is gone, and its row is swept', async () => {
  const { id } = await write('Over soon')
  await changeDirectly(sql`update announcements set ends_at = now() where id = ${id}`)
  assert.deepEqual(await textsFor(bob), [])
  await assert.rejects(announcements(ada).update(id, { text: 'No' }), { code: 'unknown_announcement' })
  await sweepAnnouncements(server.deps.database)
  assert.deepEqual(await server.deps.database.query(sql`select id from announcements`), [])
})

test('ANNOUNCE-6: there are at most three that have not ended, also if many are written at once', async () => {
  const times = { starts_at: inMs(HOUR_MS), ends_at: inMs(2 * HOUR_MS) }
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => write(`Number ${index}`, index % 2 === 0 ? times : {})),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  assert.equal(refused.length, 9)
  for (const { reason } of refused) assert.equal(reason.code, 'too_many_announcements')
  const all = await announcements(ada).listAll()
  assert.equal(all.length, 3)
  const ends = await Promise.allSettled(
    all.flatMap(({ id }) => [id, id]).map((id) => announcements(ada).end(id)),
  )
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 3)
})

test('ANNOUNCE-7: the log of operators has each change with its text, and none that changed nothing', async () => {
  const { id } = await write('For the log')
  await announcements(ada).update(id, { text: 'For the log!' })
  await announcements(ada).update(id, { text: 'For the log!' })
  await announcements(ada).end(id)
  const { entries } = await ada.client.api(Administration).log({ target_id: id })
  assert.deepEqual(
    entries.map(({ action, actor_id, target_type }) => [action, actor_id, target_type]),
    ['end', 'update', 'create'].map((what) => [`announcement_${what}`, ada.id, 'announcement']),
  )
  assert.equal(entries[0]?.details.text, 'For the log!')
})
