import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { connect } from '#test/gateway-client.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'
import { exchange, findSignal, receivesNothing, type Talker, talk } from '#test/voice/talkers.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { EmbeddedEngine } from '../embedded/engine.ts'

const HERS = 300
const HIS = 700

let installation: Installation
let server: RunningServer
let ada: Person
let kim: Person
let space: TestSpace
const opened: { close(): void }[] = []

before(async () => {
  installation = await makeInstallation()
  server = await installation.start()
  ada = await createPerson(server, 'ada')
  kim = await createPerson(server, 'kim')
  space = await makeSpace(ada, [kim])
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.close()
  await until(async () => (await listSessions()).length === 0, 'nobody is there any more')
})
after(async () => {
  await server?.close()
  await installation?.remove()
})

const keep = <T extends { close(): void }>(one: T): T => {
  opened.push(one)
  return one
}
const enter = async (person: Person, tone: number): Promise<Talker> =>
  keep(await talk(keep(await connect(server, person)), { room_id: space.lounge }, tone))

async function listSessions(): Promise<string[]> {
  const rows = await server.deps.database.query<{ session_id: string }>(sql`
    select session_id from voice_states order by session_id`)
  return rows.map(({ session_id }) => session_id)
}

async function bothEnter() {
  const [hers, his] = [await enter(ada, HERS), await enter(kim, HIS)]
  await Promise.all([hers.peer.hears(HIS), his.peer.hears(HERS)])
  return [hers, his] as const
}

test('VHOST-9: a server that runs alone ends the states of its previous run at the start, and publishes that', async () => {
  const [, his] = await bothEnter()
  await server.close()
  for (const one of opened.splice(0)) one.close()
  server = await installation.start()
  assert.deepEqual(await listSessions(), [])
  const rows = await server.deps.database.query<{ data: string }>(sql`
    select data from events
    where tenant_id = ${space.id} and channel_id = ${space.lounge} and name = 'VOICE_STATE_UPDATE' order by id`)
  const told = rows.map(({ data }) => JSON.parse(data)).filter(({ room_id }) => room_id === null)
  assert.equal(told.length, 2)
  assert.ok(told.some(({ session_id }) => session_id === his.sessionId))
  ada = ada.at(server)
  kim = kim.at(server)
})

test('VHOST-11: sessions of a killed media process get a new grant, and continue', async () => {
  const engine = server.deps.voiceEngine
  assert.ok(engine instanceof EmbeddedEngine)
  const both = await bothEnter()
  const [pid] = engine.pids
  assert.ok(pid)
  const again = both.map(async ({ client, sessionId }, index) => {
    const isNew = ({ session_id, nonce }: { session_id: string; nonce?: string }) =>
      session_id === sessionId && nonce === undefined
    await findSignal(client, 'grant', isNew)
    const peer = keep(new VoicePeer({ tone: index === 0 ? HERS : HIS }))
    return peer.join((offer) => exchange(client, sessionId, offer))
  })
  process.kill(pid, 'SIGKILL')
  const [hers, his] = await Promise.all(again)
  await Promise.all([hers?.hears(HIS), his?.hears(HERS)])
  assert.deepEqual(await listSessions(), both.map(({ sessionId }) => sessionId).sort())
  const { registry } = server.deps.metrics
  const lost = await registry.getSingleMetricAsString('foyer_voice_processes_lost_total')
  assert.match(lost, /^foyer_voice_processes_lost_total 1$/m)
})

test('VHOST-10: a state without media ends, and media without a state', async () => {
  const [hers, his] = await bothEnter()
  const { database } = server.deps
  await database.execute(sql`delete from voice_states where session_id = ${his.sessionId}`)
  await receivesNothing(hers)
  const [{ host_id } = { host_id: '' }] = await database.query<{ host_id: string }>(sql`
    select host_id from voice_states where session_id = ${hers.sessionId}`)
  const silent = newId()
  await database.execute(sql`
    insert into voice_states (user_id, tenant_id, channel_id, session_id, login_id, host_id,
      self_mute, self_deaf, self_video, self_stream)
    values (${kim.id}, ${space.id}, ${space.lounge}, ${silent}, ${newId()}, ${host_id}, false, false, false, false)`)
  const { reason } = await findSignal(his.client, 'end', ({ session_id }) => session_id === silent)
  assert.equal(reason, 'failed')
  assert.deepEqual(await listSessions(), [hers.sessionId])
})

test('VHOST-7: all sessions are checked again after events may have been missed', async () => {
  const [hers, his] = await bothEnter()
  const { database, bus } = server.deps
  await database.execute(sql`delete from members where space_id = ${space.id} and user_id = ${kim.id}`)
  bus.freshness.end()
  bus.freshness.holdUntil(Number.POSITIVE_INFINITY)
  await receivesNothing(hers)
  assert.equal(await his.end(), 'permission_lost')
})

test('VHOST-13: /metrics has the sessions, rooms and packets', async () => {
  const figure = async (name: string) => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(text.match(new RegExp(`^foyer_voice_${name} (\\S+)$`, 'm'))?.[1])
  }
  const before = await figure('packets_forwarded_total')
  const liz = await createPerson(server, 'liz')
  await makeSpace(liz)
  const invite = await ada.client.invites.create(space.id, space.general)
  await liz.client.invites.join(invite.code)
  const hers = await enter(ada, HERS)
  const lizs = await enter(liz, HIS)
  await Promise.all([hers.peer.hears(HIS), lizs.peer.hears(HERS)])
  await until(async () => (await figure('packets_forwarded_total')) > before, 'packets were forwarded')
  assert.equal(await figure('sessions'), 2)
  assert.equal(await figure('rooms'), 1)
  assert.equal(await figure('processes'), 1)
  assert.equal(await figure('packets_dropped_total'), 0)
})
