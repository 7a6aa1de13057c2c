import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { fragment, type Query, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { identify, openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

async function makeSpaceWithHiddenRoom(hiddenFrom?: Person): Promise<TestSpace> {
  const space = await makeSpace(ada, [eve])
  await ada.client.overwrites.upsert(space.id, space.general, {
    target_id: hiddenFrom?.id ?? space.id,
    target_type: hiddenFrom === undefined ? OverwriteTarget.Role : OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  return space
}

/** The next read loads the space again. */
async function forget({ id }: TestSpace): Promise<void> {
  await server.deps.database.transaction(async (transaction) => transaction.publish(accessChange(id)))
}

/** Applies the changes while `read` waits for the overwrites. */
function changeWhileRead<T>(read: () => Promise<T>, ...changes: readonly Query[]): Promise<T> {
  return whileWaitingFor(fragment`room_overwrites`, read, async (transaction) => {
    for (const change of changes) await transaction.query(change)
  })
}

/** Runs `change` while `read` waits for the table. */
async function whileWaitingFor<T>(
  table: ReturnType<typeof fragment>,
  read: () => Promise<T>,
  change: (transaction: Queryable) => Promise<unknown>,
): Promise<T> {
  const { reading } = await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`lock table ${table} in access exclusive mode`)
    const reading = read()
    await waitForBlocked()
    await change(transaction)
    return { reading }
  })
  return reading
}

function deletionOf({ id, general }: TestSpace): Query {
  return sql`delete from rooms where space_id = ${id} and id = ${general}`
}

async function waitForBlocked(): Promise<void> {
  const deadline = Date.now() + 4000
  let blocked = 0
  while (blocked === 0 && Date.now() < deadline) {
    // Runs on a connection of its own: short reads would queue up after the blocked one.
    const [row] = await server.deps.database.execute<{ count: number }>(sql`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    blocked = row?.count ?? 0
  }
  assert.ok(blocked > 0, 'the table is waited for')
}

test('GATEWAY-3: a hidden room deleted during the read is not in READY', async () => {
  const space = await makeSpaceWithHiddenRoom()
  const identity = await openSession(server, eve.id)
  await forget(space)
  const client = await changeWhileRead(() => identify(server, identity), deletionOf(space))
  assert.ok(client.heard('READY').every(({ text }) => text.includes(space.id)))
  assert.ok(client.heard('READY').every(({ text }) => !text.includes(space.general)))
  client.close()
})

test('GATEWAY-3: a user removed during the read gets no READY without the overwrites that hid rooms from them', async () => {
  const space = await makeSpaceWithHiddenRoom(eve)
  const identity = await openSession(server, eve.id)
  await forget(space)
  const client = await changeWhileRead(
    () => identify(server, identity),
    sql`delete from room_overwrites where space_id = ${space.id}`,
    sql`delete from members where space_id = ${space.id} and user_id = ${eve.id}`,
  )
  assert.ok(client.heard('READY').every(({ text }) => !text.includes(space.id)))
  client.close()
})

test('ACCESS-1: a room hidden while READY is read is removed after it', async () => {
  const { id, general } = await makeSpace(ada, [eve])
  const identity = await openSession(server, eve.id)
  const hidden = { target_id: id, target_type: OverwriteTarget.Role, allow_flags: 0 }
  const client = await whileWaitingFor(
    fragment`notification_settings`,
    () => identify(server, identity),
    () => ada.client.overwrites.upsert(id, general, { ...hidden, deny_flags: Permission.ViewChannels }),
  )
  const { text } = await client.findEvent('ROOM_DELETE')
  assert.ok(text.includes(general))
  client.close()
})

test('ROOM-1: a hidden room deleted during the read is not listed', async () => {
  const space = await makeSpaceWithHiddenRoom()
  await forget(space)
  const rooms = await changeWhileRead(() => eve.client.rooms.list(space.id), deletionOf(space))
  assert.deepEqual(
    rooms.map(({ id }) => id),
    space.rooms.map(({ id }) => id).filter((id) => id !== space.general),
  )
})
