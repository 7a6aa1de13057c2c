import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, setEveryone } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ViewChannels, Administrator } = Permission

let server: TestServer
let owner: Person
let guest: Person
let count = 0

/** Space of the owner, with the guest as a member. Its rooms are texts, general, voices and lounge. */
let spaceId: string
let general: string

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  guest = await createPerson(server, `guest${count}`)
  const { space, rooms } = await owner.client.spaces.create({ name: 'House' })
  spaceId = space.id
  general = rooms[1]?.id ?? ''
  const { code } = await owner.client.invites.create(spaceId, general)
  await guest.client.invites.join(code)
})

async function roomsOf(person: Person): Promise<string[]> {
  const rooms = await person.client.rooms.list(spaceId)
  return rooms.map((room) => room.name)
}

function hide(target_id: string, target_type: number) {
  return insertOverwrite(server, spaceId, {
    room_id: general,
    target_id,
    target_type,
    allow_flags: 0,
    deny_flags: ViewChannels,
  })
}

function show(target_id: string, target_type: number) {
  return insertOverwrite(server, spaceId, {
    room_id: general,
    target_id,
    target_type,
    allow_flags: ViewChannels,
    deny_flags: 0,
  })
}

const ALL = ['Text rooms', 'general', 'Voice rooms', 'lounge']
const BUT_GENERAL = ['Text rooms', 'Voice rooms', 'lounge']

test('ROOM-1: members see the rooms that they may view, in order', async () => {
  assert.deepEqual(await roomsOf(guest), ALL)
  await hide(spaceId, 0)
  assert.deepEqual(await roomsOf(guest), BUT_GENERAL)
  assert.deepEqual(await roomsOf(owner), ALL)
})

test('ROOM-1: a role reveals what @everyone may not view, and the member’s own overwrite decides last', async () => {
  const roleId = await insertRole(server, spaceId, { permissions: 0, position: 1 })
  await hide(spaceId, 0)
  await show(roleId, 0)
  assert.deepEqual(await roomsOf(guest), BUT_GENERAL)
  await assignRole(server, { spaceId, userId: guest.id, roleId })
  assert.deepEqual(await roomsOf(guest), ALL)
  await hide(guest.id, 1)
  assert.deepEqual(await roomsOf(guest), BUT_GENERAL)
})

test('ROOM-1: an administrator sees every room, and an overwrite makes nobody one', async () => {
  await hide(spaceId, 0)
  await insertOverwrite(server, spaceId, {
    room_id: general,
    target_id: guest.id,
    target_type: 1,
    allow_flags: Administrator,
    deny_flags: 0,
  })
  assert.deepEqual(await roomsOf(guest), BUT_GENERAL)
  const roleId = await insertRole(server, spaceId, { permissions: Administrator, position: 1 })
  await assignRole(server, { spaceId, userId: guest.id, roleId })
  assert.deepEqual(await roomsOf(guest), ALL)
})

test('ROOM-1: a member without ViewChannels sees no room', async () => {
  await setEveryone(server, spaceId, DEFAULT_PERMISSIONS & ~ViewChannels)
  assert.deepEqual(await roomsOf(guest), [])
})

test('ROOM-1: a hidden room is not in the SPACE_CREATE of a user who joins', async () => {
  await hide(spaceId, 0)
  const late = await createPerson(server, `late${count}`)
  const { code } = await owner.client.invites.create(spaceId, general)
  await late.client.invites.join(code)
  assert.deepEqual(await roomsOf(late), BUT_GENERAL)
  const [{ data } = { data: '' }] = await server.deps.database.query<{ data: string }>(sql`
    select data from events where kind = 'user' and tenant_id = ${late.id} and name = 'SPACE_CREATE'`)
  assert.ok(data.includes('lounge'))
  assert.ok(!data.includes(general))
})

test('ROOM-2: last_seq and last_message_id are current', async () => {
  assert.deepEqual(await headOf(guest), [0, null])
  const messageId = newId()
  await server.deps.database.execute(sql`
    update message_heads set last_seq = 41, last_message_id = ${messageId}
    where tenant_id = ${spaceId} and channel_id = ${general}`)
  assert.deepEqual(await headOf(guest), [41, messageId])
})

async function headOf(person: Person): Promise<unknown[]> {
  const rooms = await person.client.rooms.list(spaceId)
  const room = rooms.find(({ id }) => id === general)
  return [room?.last_seq, room?.last_message_id]
}
