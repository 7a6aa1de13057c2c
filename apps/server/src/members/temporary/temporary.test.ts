import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type TemporaryDeps, temporaryMemberJobs } from './jobs.ts'

const MINUTE_MS = 60_000

let server: TestServer
let owner: Person
let guest: Person
let space: TestSpace
/** Time on the steady clock of the processes. */
let time = 0
/** Runs the job on a process that has been running for an hour. */
let sweep: Sweep

before(async () => {
  // Without the job of its own, which runs each minute.
  server = await startTestServer({ services: ['api', 'gateway'] })
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner)
  sweep = startProcess()
  time += 60 * MINUTE_MS
})

type Sweep = () => Promise<void>

function startProcess(presences: TemporaryDeps['presences'] = server.deps.presences): Sweep {
  const { handlers } = temporaryMemberJobs({ database: server.deps.database, presences, now: () => time })
  return async () => handlers.end_temporary_members?.({})
}

async function join(temporary: boolean): Promise<void> {
  const invite = await owner.client.invites.create(space.id, space.general, { temporary })
  assert.equal(invite.temporary, temporary)
  await guest.client.invites.join(invite.code)
}

/** Lets time pass for the processes, and for the rows that the database has dated. */
async function pass(minutes: number): Promise<void> {
  time += minutes * MINUTE_MS
  await server.deps.database.execute(sql`
    update members set away_since = away_since - make_interval(mins => ${minutes}::integer)`)
}

/** Runs the job at once and after the minutes. */
async function sweepAfter(minutes: number): Promise<void> {
  await sweep()
  await pass(minutes)
  await sweep()
}

/** Closes the connection, and waits until the server has noticed. */
async function disconnect(client: GatewayClient): Promise<void> {
  client.close()
  await until(async () => (await server.deps.presences.isConnected(guest.id)) === false, 'the guest is away')
}

const isMember = async () =>
  (await owner.call('GET', `/api/spaces/${space.id}/members/${guest.id}`)).status === 200

test('INVITE-21: a temporary member who is away for two minutes is removed', async () => {
  await join(true)
  await sweepAfter(1)
  assert.equal(await isMember(), true)
  await sweepAfter(1)
  assert.equal(await isMember(), false)
  const { action, actor_id, target_id } = await newestEntry(owner, space.id)
  assert.deepEqual([action, actor_id, target_id], ['member_leave', null, guest.id])
})

test('INVITE-21: a lasting member stays, and one with a role, also when it is taken again', async () => {
  await join(false)
  await sweepAfter(5)
  assert.equal(await isMember(), true)
  await guest.client.members.leave(space.id)
  await join(true)
  const { id } = await owner.client.roles.create(space.id, { name: 'regular' })
  await owner.client.roles.assign(space.id, guest.id, id)
  await owner.client.roles.remove(space.id, guest.id, id)
  await sweepAfter(5)
  assert.equal(await isMember(), true)
})

test('INVITE-21: whoever is connected stays, and the time begins anew with each absence', async () => {
  await join(true)
  await sweepAfter(1)
  const client = await connect(server, guest)
  await sweepAfter(5)
  assert.equal(await isMember(), true)
  await disconnect(client)
  await sweepAfter(1)
  assert.equal(await isMember(), true)
  await sweepAfter(1)
  assert.equal(await isMember(), false)
})

test('INVITE-21: an absence that another process has ended does not count', async () => {
  await join(true)
  const sweepOther = startProcess()
  await sweep()
  const client = await connect(server, guest)
  await pass(1)
  await sweepOther()
  await disconnect(client)
  await pass(1)
  await sweep()
  assert.equal(await isMember(), true)
  await pass(2)
  await sweepOther()
  assert.equal(await isMember(), false)
})

test('INVITE-21: an absence ends a membership once, however many processes find it', async () => {
  await join(true)
  const sweepOther = startProcess()
  time += MINUTE_MS
  await Promise.all([sweep(), sweepOther()])
  await pass(2)
  await Promise.all([sweep(), sweepOther()])
  assert.equal(await isMember(), false)
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'member_leave' })
  assert.equal(entries.length, 1)
})

test('INVITE-21: a member who is found connected while the removal waits stays', async () => {
  await join(true)
  await sweep()
  await pass(2)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const sweeping = sweep()
  await lock.waitForBlocked(1)
  await startProcess({ isConnected: async () => true })()
  await lock.release()
  await sweeping
  assert.equal(await isMember(), true)
})

test('INVITE-21: a server that was down for an hour removes nobody before they could return', async () => {
  await join(true)
  await sweep()
  await pass(60)
  const sweepRestarted = startProcess()
  await pass(1)
  await sweepRestarted()
  assert.equal(await isMember(), true)
  await pass(1)
  await sweepRestarted()
  assert.equal(await isMember(), true)
  await pass(1)
  await sweepRestarted()
  assert.equal(await isMember(), false)
})

test('INVITE-21: a temporary member who becomes the owner stays, also when they give the space away', async () => {
  await join(true)
  await owner.client.spaces.transfer(space.id, { user_id: guest.id })
  await sweepAfter(5)
  assert.equal(await isMember(), true)
  await guest.client.spaces.transfer(space.id, { user_id: owner.id })
  await sweepAfter(5)
  assert.equal(await isMember(), true)
})

test('INVITE-21: nobody is removed while it is not certain who is connected', async () => {
  await join(true)
  await sweep()
  const sweepUncertain = startProcess({ isConnected: async () => undefined })
  time += MINUTE_MS
  await pass(5)
  await sweepUncertain()
  assert.equal(await isMember(), true)
  await sweep()
  assert.equal(await isMember(), true)
})

test('INVITE-21: a run asks once whether a user is connected', async () => {
  await join(true)
  space = await makeSpace(owner)
  await join(true)
  const asked: string[] = []
  await startProcess({ isConnected: async (userId) => asked.push(userId) > 0 })()
  assert.deepEqual(
    asked.filter((userId) => userId === guest.id),
    [guest.id],
  )
})
