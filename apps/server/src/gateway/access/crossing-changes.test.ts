import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { kickMember } from '#src/members/actions.ts'
import { upsertOverwrite } from '#src/overwrites/actions.ts'
import { assignRole, removeRole } from '#src/roles/actions/assignment.ts'
import { createRole, deleteRole } from '#src/roles/actions/roles.ts'
import { createRoom } from '#src/rooms/actions.ts'
import { accessSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { deleteSpace, updateSpace } from '#src/spaces/actions/management.ts'
import { addMember } from '#src/spaces/actions/spaces.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import { connect, type GatewayClient, identify, openSession, resume } from '#test/gateway-client.ts'
import { holdReads } from '#test/locks/held-reads.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ViewChannels } = Permission

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let open: GatewayClient[] = []
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function listen(person: Person): Promise<GatewayClient> {
  const client = await connect(server, person)
  open.push(client)
  return client
}

/** Ada's snapshot, requested before reads are held. */
async function accessOf(space: TestSpace): Promise<SpaceAccess> {
  const session = { sessionId: '', expiresAt: 0, hasSecondFactor: false }
  const caller: Caller = { kind: 'human', user: await ada.client.users.me(), ...session }
  return accessSpace(server.deps.snapshots, caller, space.id)
}

function hide(access: SpaceAccess, roomId: string, { target = access.spaceId, type = 0, hides = true } = {}) {
  const flags = hides
    ? { allow_flags: 0, deny_flags: ViewChannels }
    : { allow_flags: ViewChannels, deny_flags: 0 }
  return upsertOverwrite(server.deps, access, roomId, { target_id: target, target_type: type, ...flags })
}

async function enter(person: Person, space: TestSpace): Promise<void> {
  const user = await person.client.users.me()
  await server.deps.database.transaction((transaction) => addMember(transaction, space.id, user))
}

/** Returns the names of the space's events that the connection received since it was ready. */
async function toldOf(client: GatewayClient): Promise<(string | undefined)[]> {
  await client.settle()
  const names = client.frames.map(({ t }) => t).filter((name) => name !== undefined)
  return names.slice(names.indexOf('READY') + 1)
}

test('GATEWAY-7: a user who joins and is kicked while the events are held receives both, in that order', async () => {
  const space = await makeSpace(ada)
  const [hers, access] = [await listen(eve), await accessOf(space)]
  await listen(kim)
  const reads = await holdReads(server)
  // Kim's join holds the events of the space.
  await enter(kim, space)
  await enter(eve, space)
  await kickMember(server.deps, access, eve.id)
  await reads.release()
  assert.deepEqual(await toldOf(hers), ['SPACE_CREATE', 'SPACE_DELETE'])
})

test('GATEWAY-7: a user given a role while joining receives the rooms that it reveals', async () => {
  const space = await makeSpace(ada)
  const [hers, access] = [await listen(eve), await accessOf(space)]
  await hide(access, space.lounge)
  const role = await createRole(server.deps, access, {
    name: 'Seeing',
    permissions: Permission.Administrator,
  })
  const reads = await holdReads(server)
  await enter(eve, space)
  await assignRole(server.deps, access, { spaceId: space.id, memberId: eve.id, roleId: role.id })
  await reads.release()
  assert.deepEqual(await toldOf(hers), [
    'SPACE_CREATE',
    'SPACE_MEMBER_UPDATE',
    'ROOM_CREATE',
    'ROOM_OVERWRITE_UPDATE',
    'AUDIT_LOG_ENTRY_CREATE',
  ])
})

test('GATEWAY-7: a joining user receives what was hidden and revealed during the join', async () => {
  const space = await makeSpace(ada)
  const [hers, access] = [await listen(eve), await accessOf(space)]
  await hide(access, space.lounge)
  const reads = await holdReads(server)
  await updateSpace(server.deps, access, { description: 'no longer cached' })
  await enter(eve, space)
  await hide(access, space.general)
  await hide(access, space.lounge, { hides: false })
  await reads.release()
  assert.deepEqual((await toldOf(hers)).slice(0, 3), ['SPACE_CREATE', 'ROOM_DELETE', 'ROOM_CREATE'])
  const [gone] = hers.heard('ROOM_DELETE')
  assert.deepEqual(gone?.d, { space_id: space.id, room_id: space.general })
  assert.ok(hers.heard('ROOM_CREATE')[0]?.text.includes(space.lounge))
})

test('GATEWAY-17: a user who joins a space while it is deleted receives its end', async () => {
  const space = await makeSpace(ada)
  const [hers, access] = [await listen(eve), await accessOf(space)]
  const reads = await holdReads(server)
  await updateSpace(server.deps, access, { description: 'no longer cached' })
  await enter(eve, space)
  await deleteSpace(server.deps, access)
  await reads.release()
  assert.deepEqual(await toldOf(hers), ['SPACE_CREATE', 'SPACE_DELETE'])
})

test('GATEWAY-17: the end of a space right after another change is sent once to all connected members', async () => {
  const space = await makeSpace(ada, [eve])
  const [own, hers, access] = [await listen(ada), await listen(eve), await accessOf(space)]
  const reads = await holdReads(server)
  await hide(access, space.general)
  await deleteSpace(server.deps, access)
  await reads.release()
  assert.deepEqual(await toldOf(own), ['SPACE_DELETE'])
  assert.deepEqual(await toldOf(hers), ['SPACE_DELETE'])
})

test('GATEWAY-15: each connection of a member receives only what is new to it', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  await hide(access, space.lounge)
  const role = await createRole(server.deps, access, {
    name: 'Seeing',
    permissions: Permission.Administrator,
  })
  const early = await listen(eve)
  // The change is in the database. The server has not received its event yet.
  const { database } = server.deps
  await database.execute(sql`
    insert into member_roles (space_id, user_id, role_id) values (${space.id}, ${eve.id}, ${role.id})`)
  const fresh = await listen(eve)
  await database.transaction(async (transaction) => {
    const [member] = await listMemberships(transaction, eve.id, [space.id])
    assert.ok(member)
    transaction.publish(event(topicOf.space(space.id), 'SPACE_MEMBER_UPDATE', member))
  })
  await early.findEvent('ROOM_OVERWRITE_UPDATE')
  assert.deepEqual(await toldOf(early), ['SPACE_MEMBER_UPDATE', 'ROOM_CREATE', 'ROOM_OVERWRITE_UPDATE'])
  assert.deepEqual(await toldOf(fresh), ['SPACE_MEMBER_UPDATE'])
})

test('GATEWAY-16: a room created while a member is given a role is sent once', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  await hide(access, space.lounge)
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query({
      name: '',
      text: 'update roles set permissions = 0 where id = $1',
      values: [space.id],
    })
    transaction.publish(accessChange(space.id))
  })
  const role = await createRole(server.deps, access, { name: 'Seeing', permissions: ViewChannels })
  const hers = await listen(eve)
  const reads = await holdReads(server)
  await updateSpace(server.deps, access, { description: 'no longer cached' })
  await assignRole(server.deps, access, { spaceId: space.id, memberId: eve.id, roleId: role.id })
  const room = await createRoom(server.deps, access, { name: 'new', type: RoomType.Text })
  await reads.release()
  await toldOf(hers)
  const told = hers.heard('ROOM_CREATE').filter(({ text }) => text.includes(room.id))
  assert.equal(told.length, 1)
})

test('GATEWAY-15: a kicked member is not shown rooms that only their own overwrites hid', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  await hide(access, space.lounge, { target: eve.id, type: 1 })
  const hers = await listen(eve)
  const reads = await holdReads(server)
  await hide(access, space.general)
  await kickMember(server.deps, access, eve.id)
  await reads.release()
  assert.deepEqual(await toldOf(hers), ['SPACE_DELETE'])
})

test('GATEWAY-15: a member whose role was removed is not shown rooms that were opened to it afterwards', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  const role = await createRole(server.deps, access, { name: 'Seeing', permissions: 0 })
  const assignment = { spaceId: space.id, memberId: eve.id, roleId: role.id }
  await assignRole(server.deps, access, assignment)
  await hide(access, space.lounge)
  const hers = await listen(eve)
  const reads = await holdReads(server)
  await createRole(server.deps, access, { name: 'another', permissions: 0 })
  await removeRole(server.deps, access, assignment)
  await hide(access, space.lounge, { target: role.id, hides: false })
  await reads.release()
  assert.equal(await hers.closed, CloseCode.Unknown)
  assert.deepEqual(hers.heard('ROOM_CREATE'), [])
  const back = await listen(eve)
  assert.deepEqual(await toldOf(back), [])
  assert.ok(!JSON.stringify(back.heard('READY')[0]?.d).includes(space.lounge))
})

test('GATEWAY-15: rooms that a deleted role hid stay hidden from its former members', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  const role = await createRole(server.deps, access, { name: 'Blind', permissions: 0 })
  await hide(access, space.lounge, { target: role.id })
  await assignRole(server.deps, access, { spaceId: space.id, memberId: eve.id, roleId: role.id })
  const hers = await listen(eve)
  const reads = await holdReads(server)
  await hide(access, space.lounge)
  await deleteRole(server.deps, access, role.id)
  await reads.release()
  assert.deepEqual(await toldOf(hers), ['SPACE_ROLE_DELETE'])
})

test('GATEWAY-15: a connection whose audience cannot be determined receives nothing, and resumes', async () => {
  const space = await makeSpace(ada, [eve])
  const access = await accessOf(space)
  const identity = await openSession(server, eve.id)
  const hers = await identify(server, identity)
  const others = await listen(kim)
  const reads = await holdReads(server)
  await hide(access, space.general)
  await createRoom(server.deps, access, { name: 'new', type: RoomType.Text })
  await reads.fail()
  assert.equal(await hers.closed, CloseCode.Unknown)
  assert.deepEqual(await toldOf(others), [])
  assert.deepEqual(
    hers.frames.map(({ t }) => t).filter((name) => name !== undefined),
    ['READY'],
  )
  const back = await resume(server, identity, hers.heard('READY')[0]?.s ?? '')
  open.push(back)
  await ada.client.rooms.update(space.id, space.lounge, { name: 'Salon' })
  await back.findEvent('ROOM_UPDATE')
  const told = back.frames.map(({ t }) => t).filter((name) => name !== undefined)
  assert.deepEqual(
    [told.includes('SPACE_CREATE'), told.includes('RESUMED'), told.at(-1)],
    [true, true, 'ROOM_UPDATE'],
  )
})
