import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Call } from '@foyer/protocol/voice'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, openSession, resume } from '#test/gateway-client.ts'
import { enterCall, leaveCall } from '#test/scenes/calls.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { callJobs } from './jobs.ts'

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let bot: Person
let stranger: Person
let group: string

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
  bot = await createBot(server, 'robot')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())
beforeEach(async () => {
  await server.deps.database.execute(sql`with gone as (delete from voice_states) delete from calls`)
  group = (await makeGroup(server, ada, [ben, eve])).id
})

const decline = (person: Person, id = group) =>
  codeOf(person.call('POST', `/api/conversations/${id}/call/decline`))
const ring = (person: Person, id = group) => codeOf(person.call('POST', `/api/conversations/${id}/call/ring`))
const enter = (person: Person, id = group) => enterCall(server, person, id)
const leave = (person: Person, id = group) => leaveCall(server, person, id)

/** Returns the conversation's call events, with the users it rings for. */
async function published(id = group): Promise<unknown[]> {
  const journal = await listJournal(server, topicOf.conversation(id))
  return journal
    .filter(({ name }) => name.startsWith('CALL_'))
    .map(({ name, data }) => [name, ...(Object(data).ringing ?? [])])
}

/** Returns the calls in READY. */
async function readyCalls(person: Person): Promise<Call[]> {
  const client = await connect(server, person)
  const { d } = await client.findEvent('READY')
  client.close()
  return Object(d).calls
}

/** Makes the call look as if it had rung for this long. */
async function pass(seconds: number, id = group): Promise<void> {
  await server.deps.database.execute(sql`
    update calls set ring_until = ring_until - make_interval(secs => ${seconds}) where tenant_id = ${id}`)
}

const endRinging = (id = group) => callJobs(server.deps).handlers.end_ringing?.({ conversation_id: id })

test('CALL-1 and CALL-3: the first user to join starts a call, which rings for the others until each of them joins', async () => {
  await enter(ada)
  const [call] = await readyCalls(ben)
  assert.ok(call)
  const { started_at, ...rest } = call
  assert.deepEqual(rest, { conversation_id: group, initiator_id: ada.id, ringing: [ben.id, eve.id] })
  assert.ok(Math.abs(Date.parse(started_at) - Date.now()) < 60_000)
  const [created] = await listJournal(server, topicOf.conversation(group))
  assert.deepEqual([created?.name, created?.data], ['CALL_CREATE', call])
  await enter(eve)
  await enter(ben)
  assert.deepEqual(await published(), [
    ['CALL_CREATE', ben.id, eve.id],
    ['CALL_UPDATE', ben.id],
    ['CALL_UPDATE'],
  ])
  assert.deepEqual(await readyCalls(ada), [{ ...call, ringing: [] }])
  assert.deepEqual(await readyCalls(stranger), [])
})

test('CALL-1: one of two users who join at once starts the call, and both are in it', async () => {
  await Promise.all([enter(ada), enter(ben)])
  const [[name, ...ringing] = [], ...later] = await published().then((all) =>
    all.map((entry) => [entry].flat()),
  )
  assert.deepEqual([name, ringing.includes(eve.id), ringing.length], ['CALL_CREATE', true, 2])
  assert.deepEqual(later, [['CALL_UPDATE', eve.id]])
})

test('CALL-1: a user who had closed the conversation gets it listed again before the call', async () => {
  const { id } = await makeDirect(server, ada, ben)
  await ben.client.conversations.close(id)
  const client = await connect(server, ben)
  await enter(ada, id)
  await client.findEvent('CALL_CREATE')
  const names = client.frames.map(({ t }) => t).filter((name) => /^(CALL|CONVERSATION)/.test(name ?? ''))
  client.close()
  assert.deepEqual(names, ['CONVERSATION_CREATE', 'CALL_CREATE'])
})

test('CALL-2: it rings for no bot, and not across a block by either user', async () => {
  const { id } = await makeDirect(server, bot, ada)
  await enter(ada, id)
  await enter(bot, id)
  const other = (await makeDirect(server, bot, ben)).id
  await server.deps.database.execute(sql`delete from voice_states where user_id = ${bot.id}`)
  await enter(bot, other)
  assert.deepEqual(
    [await published(id), await published(other)],
    [[['CALL_CREATE']], [['CALL_CREATE', ben.id]]],
  )
  const people = await Promise.all(['fay', 'guy', 'hal'].map((name) => createPerson(server, name)))
  const [fay = ada, guy = ada, hal = ada] = people
  const wary = (await makeGroup(server, fay, [guy, hal, stranger])).id
  await fay.client.friends.block(guy.id)
  await hal.client.friends.block(fay.id)
  await enter(fay, wary)
  assert.deepEqual(await published(wary), [['CALL_CREATE', stranger.id]])
})

test('CALL-3: it stops ringing for a user who declines or leaves the group; repeating that publishes nothing', async () => {
  await enter(ada)
  assert.deepEqual([await decline(ben), await decline(ben), await decline(ada)], [204, 204, 204])
  await eve.client.conversations.close(group)
  assert.deepEqual(await published(), [
    ['CALL_CREATE', ben.id, eve.id],
    ['CALL_UPDATE', eve.id],
    ['CALL_UPDATE'],
  ])
  await leave(ada)
  assert.equal(await decline(ben), 204)
  assert.equal((await published()).length, 4)
})

test('CALL-3: it rings for nobody after 60 s, and READY says so before the job has run', async () => {
  await enter(ada)
  const [job] = await server.deps.database.query<{ at: string; until: string }>(sql`
    select run_at as at, ring_until as until from graphile_worker._private_jobs as job, calls
    where payload ->> 'conversation_id' = ${group} and tenant_id = ${group}`)
  assert.equal(job?.at, job?.until)
  assert.ok(Date.parse(job?.until ?? '') - Date.now() > 30_000)
  await pass(50)
  await endRinging()
  assert.deepEqual((await readyCalls(ben))[0]?.ringing, [ben.id, eve.id])
  await pass(10)
  assert.deepEqual((await readyCalls(ben))[0]?.ringing, [])
  assert.equal((await published()).length, 1)
  await Promise.all([endRinging(), endRinging()])
  assert.deepEqual((await published()).slice(1), [['CALL_UPDATE']])
})

test('CALL-4: a user in the call rings for another 60 s, also for those who declined', async () => {
  await enter(ada)
  await enter(eve)
  await decline(ben)
  await pass(60)
  await endRinging()
  const before = await published()
  assert.equal(await ring(eve), 204)
  assert.deepEqual((await published()).slice(before.length), [['CALL_UPDATE', ben.id]])
  await endRinging()
  assert.deepEqual((await readyCalls(ben))[0]?.ringing, [ben.id])
  await enter(ben)
  const all = await published()
  assert.equal(await ring(ada), 204)
  assert.deepEqual(await published(), all)
})

test('CALL-4 and CALL-8: nobody else can ring, and strangers get 404', async () => {
  assert.equal(await ring(ada), '404 unknown_call')
  await enter(ada)
  const before = await published()
  assert.equal(await ring(ben), '403 not_in_call')
  for (const attempt of [ring, decline])
    for (const [person, id, answer] of [
      [stranger, group, '404 unknown_conversation'],
      [bot, group, '404 unknown_conversation'],
      [ada, newId(), '404 unknown_conversation'],
      [ada, 'a', '400 invalid_request'],
    ] as const)
      assert.equal(await attempt(person, id), answer)
  assert.deepEqual(await published(), before)
})

test('CALL-7: a user added to the conversation during a call receives the call after it, and who is in it', async () => {
  await enter(ada)
  const identity = await openSession(server, stranger.id)
  const client = await connect(server, stranger)
  const { s = '' } = await client.findEvent('READY')
  await makeDirect(server, ada, stranger)
  await ada.client.conversations.addMember(group, stranger.id)
  const { d: state } = await client.findEvent('VOICE_STATE_UPDATE')
  const heard = client.frames.filter(({ t }) => /^(CALL|CONVERSATION)_CREATE$/.test(t ?? ''))
  client.close()
  assert.deepEqual(
    heard.slice(-2).map(({ t, d }) => [t, Object(d).id ?? Object(d).conversation_id]),
    [
      ['CONVERSATION_CREATE', group],
      ['CALL_CREATE', group],
    ],
  )
  assert.deepEqual([Object(state).user_id, Object(state).conversation_id], [ada.id, group])
  const later = await resume(server, identity, s)
  assert.ok(later.heard('CALL_CREATE').some(({ d }) => Object(d).conversation_id === group))
  later.close()
})
