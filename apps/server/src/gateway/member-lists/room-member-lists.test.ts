import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Opcode } from '@foyer/protocol/gateway'
import { MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { listShown, listUpdates, look, lookInto } from '#test/scenes/member-lists.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ViewChannels } = Permission

let server: TestServer
/** The owner. */
let ada: Person
/** Has the role that views the room. */
let eve: Person
/** Views it by an overwrite of their own. */
let kim: Person
/** Does not view it. */
let zoe: Person
let space: TestSpace
let crew: string
let room: string
let open: GatewayClient[] = []
let made = 0

before(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  made += 1
  ada = await createPerson(server, `ada${made}`)
  eve = await createPerson(server, `eve${made}`)
  kim = await createPerson(server, `kim${made}`)
  zoe = await createPerson(server, `zoe${made}`)
  space = await makeSpace(ada, [eve, kim, zoe])
  crew = (await ada.client.roles.create(space.id, { name: 'Crew' })).id
  await ada.client.roles.assign(space.id, eve.id, crew)
  room = await makePrivateRoom()
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

const onRole = (target_id: string, allow_flags: number, deny_flags = 0) => ({
  target_id,
  target_type: OverwriteTarget.Role,
  allow_flags,
  deny_flags,
})
const onMember = ({ id }: Person, allow_flags: number, deny_flags = 0) => ({
  ...onRole(id, allow_flags, deny_flags),
  target_type: OverwriteTarget.Member,
})

async function makePrivateRoom(): Promise<string> {
  const { id } = await ada.client.rooms.create(space.id, {
    name: 'plans',
    type: 1,
    overwrites: [onRole(space.id, 0, ViewChannels), onRole(crew, ViewChannels), onMember(kim, ViewChannels)],
  })
  return id
}

async function come(person: Person): Promise<GatewayClient> {
  const client = await connect(server, person)
  open.push(client)
  return client
}

async function sees(client: GatewayClient, expected: string, roomId: string | null = room): Promise<void> {
  const deadline = Date.now() + 20_000
  const shown = () => listShown(client, space.id, roomId)
  while (shown() !== expected && Date.now() < deadline) await delay(50)
  assert.equal(shown(), expected)
}

/** Returns all lists and presences received since. */
function toldSince(client: GatewayClient, place: number): string[] {
  const told = client.frames.slice(place)
  return told.flatMap(({ t = '' }) => (/LIST_UPDATE|PRESENCE_UPDATE/.test(t) ? [t] : []))
}

/** Resolves when another client has received everything published so far. */
async function witness(): Promise<void> {
  const client = await come(ada)
  lookInto(client, space.id, room)
  await client.findEvent('SPACE_MEMBER_LIST_UPDATE')
  const before = listUpdates(client).length
  const { nickname } = await ada.client.members.updateMe(space.id, { nickname: `Ada ${newId().slice(-6)}` })
  assert.ok(nickname)
  await client.find(() => listUpdates(client).length > before, 'the change')
}

test('LIST-9: the list of a room has its viewers, and follows roles, overwrites and members', async () => {
  const hers = await come(ada)
  await come(zoe)
  lookInto(hers, space.id, room)
  await sees(hers, '1/3 online:1 offline:2 | ada=online eve kim')
  await come(eve)
  await sees(hers, '2/3 online:2 offline:1 | ada=online eve=online kim')
  await ada.client.roles.assign(space.id, zoe.id, crew)
  await sees(hers, '3/4 online:3 offline:1 | ada=online eve=online zoe=online kim')
  await ada.client.roles.update(space.id, crew, { hoisted: true })
  await sees(hers, `3/4 ${crew}:2 online:1 offline:1 | eve=online zoe=online ada=online kim`)
  await ada.client.roles.remove(space.id, eve.id, crew)
  await sees(hers, `2/3 ${crew}:1 online:1 offline:1 | zoe=online ada=online kim`)
  await ada.client.overwrites.delete(space.id, room, kim.id)
  await ada.client.overwrites.upsert(space.id, room, onMember(eve, ViewChannels))
  await sees(hers, `3/3 ${crew}:1 online:2 | zoe=online ada=online eve=online`)
  await ada.client.overwrites.upsert(space.id, room, onMember(eve, 0, ViewChannels))
  await ada.client.members.kick(space.id, zoe.id)
  await sees(hers, '1/1 online:1 | ada=online')
  await ada.client.overwrites.delete(space.id, room, space.id)
  await sees(hers, '1/2 online:1 offline:1 | ada=online kim')
  await join(zoe, ada, space)
  await sees(hers, '2/3 online:2 offline:1 | ada=online zoe=online kim')
  await ada.client.bans.create(space.id, kim.id)
  await ada.client.overwrites.delete(space.id, room, eve.id)
  await sees(hers, '3/3 online:3 | ada=online eve=online zoe=online')
})

test('LIST-9: permissions of roles, a new owner and deleted roles change the list of a room', async () => {
  const hers = await come(eve)
  const bot = await createApplicationBot(server, ada, { name: 'Helper', username: `helper${made}` })
  await ada.client.members.addBot(space.id, bot.id)
  lookInto(hers, space.id, room)
  await sees(hers, '1/3 online:1 offline:2 | eve=online ada kim')
  const chief = await ada.client.roles.create(space.id, { name: 'Chief' })
  await ada.client.roles.assign(space.id, bot.id, chief.id)
  await ada.client.roles.update(space.id, chief.id, { permissions: Permission.Administrator })
  await sees(hers, '1/4 online:1 offline:3 | eve=online ada helper kim')
  await ada.client.roles.update(space.id, chief.id, { permissions: 0 })
  await sees(hers, '1/3 online:1 offline:2 | eve=online ada kim')
  await ada.client.spaces.transfer(space.id, { user_id: zoe.id })
  await sees(hers, '1/3 online:1 offline:2 | eve=online kim zoe')
  await zoe.client.overwrites.upsert(space.id, room, onMember(eve, ViewChannels))
  await zoe.client.roles.assign(space.id, ada.id, crew)
  await sees(hers, '1/4 online:1 offline:3 | eve=online ada kim zoe')
  await zoe.client.roles.delete(space.id, crew)
  await sees(hers, '1/3 online:1 offline:2 | eve=online kim zoe')
})

test('LIST-9: a room that all members view has the list of the space, with invisible and blocked users offline', async () => {
  const [hers, his] = [await come(ada), await come(eve)]
  lookInto(hers, space.id, space.general)
  lookInto(his, space.id, room)
  await sees(hers, '2/4 online:2 offline:2 | ada=online eve=online kim zoe', space.general)
  await sees(his, '2/3 online:2 offline:1 | ada=online eve=online kim')
  hers.send(Opcode.PresenceUpdate, { status: 'dnd' })
  await sees(his, '2/3 online:2 offline:1 | ada=dnd eve=online kim')
  await kim.client.friends.block(eve.id)
  await eve.client.friends.block(ada.id)
  await sees(his, '1/3 online:1 offline:2 | eve=online ada kim')
  await sees(hers, '1/4 online:1 offline:3 | ada=dnd eve kim zoe', space.general)
  look(his, space.id)
  await sees(his, '1/4 online:1 offline:3 | eve=online ada kim zoe', null)
})

test('LIST-10: a user who may not view a room does not get its list, and keeps the one they see', async () => {
  const outsider = await come(await createPerson(server, `outsider${made}`))
  lookInto(outsider, space.id, space.general)
  assert.match((await outsider.findCommand(Opcode.Error)).text, /not_a_member/)
  const his = await come(zoe)
  look(his, space.id)
  await sees(his, '1/4 online:1 offline:3 | zoe=online ada eve kim', null)
  const elsewhere = await makeSpace(zoe)
  const refusals = () =>
    his.frames.flatMap(({ op, text }) => (op === Opcode.Error ? [JSON.parse(text).d.code] : []))
  const codes: string[] = []
  for (const [roomId, code] of [
    [room, 'missing_permission'],
    [elsewhere.general, 'unknown_room'],
    [newId(), 'unknown_room'],
    ['plans', 'invalid_request'],
  ] as const) {
    codes.push(code)
    lookInto(his, space.id, roomId)
    await his.find(() => refusals().length === codes.length, code)
  }
  assert.deepEqual(refusals(), codes)
  await ada.client.members.update(space.id, kim.id, { nickname: 'Aaron' })
  await sees(his, '1/4 online:1 offline:3 | zoe=online kim ada eve', null)
  assert.ok(listUpdates(his).every(({ room_id }) => room_id === null))
  await ada.client.roles.assign(space.id, zoe.id, crew)
  await his.findEvent('ROOM_CREATE')
  lookInto(his, space.id, room)
  await sees(his, '1/4 online:1 offline:3 | zoe=online kim ada eve')
})

test('LIST-11: a user who loses a room receives no more of its list, until they subscribe to another', async () => {
  const [hers, his] = [await come(ada), await come(eve)]
  lookInto(his, space.id, room)
  await sees(his, '2/3 online:2 offline:1 | ada=online eve=online kim')
  await ada.client.roles.remove(space.id, eve.id, crew)
  await his.findEvent('ROOM_DELETE')
  const place = his.frames.length
  const lost = listUpdates(his).length
  hers.send(Opcode.PresenceUpdate, { status: 'dnd' })
  await ada.client.roles.assign(space.id, zoe.id, crew)
  await witness()
  await his.settle()
  assert.deepEqual(toldSince(his, place), [])
  assert.ok(listUpdates(his).every(({ ranges }) => ranges[0]?.user_ids.includes(eve.id) !== false))
  const others = await Promise.all(Array.from({ length: MAX_SEEN_LISTS }, () => makeSpace(eve)))
  for (const { id } of others) look(his, id)
  await his.find(() => listUpdates(his).length === lost + MAX_SEEN_LISTS, 'as many lists as one may see')
})

test('LIST-11: a user who regains a room at once receives nothing of its list until they subscribe', async () => {
  const his = await come(eve)
  lookInto(his, space.id, room)
  await sees(his, '1/3 online:1 offline:2 | eve=online ada kim')
  await ada.client.roles.remove(space.id, eve.id, crew)
  await ada.client.roles.assign(space.id, eve.id, crew)
  await his.findEvent('ROOM_CREATE')
  const place = his.frames.findIndex(({ t }) => t === 'ROOM_DELETE')
  await witness()
  await his.settle()
  assert.deepEqual(toldSince(his, place), [])
  lookInto(his, space.id, room)
  await his.find(() => toldSince(his, place).length > 0, 'the list')
})

test('LIST-11: the list of a deleted room ends, and that of a room opened to all continues with everyone', async () => {
  const [hers, his] = [await come(ada), await come(eve)]
  lookInto(hers, space.id, room)
  lookInto(his, space.id, room)
  for (const client of [hers, his]) await sees(client, '2/3 online:2 offline:1 | ada=online eve=online kim')
  await ada.client.overwrites.delete(space.id, room, space.id)
  await sees(his, '2/4 online:2 offline:2 | ada=online eve=online kim zoe')
  await ada.client.rooms.delete(space.id, room)
  for (const client of [hers, his]) await client.findEvent('ROOM_DELETE')
  room = await makePrivateRoom()
  const places = [hers.frames.length, his.frames.length] as const
  await witness()
  await Promise.all([hers.settle(), his.settle()])
  assert.deepEqual([toldSince(hers, places[0]), toldSince(his, places[1])], [[], []])
})

test('LIST-12: a large space lists those online in a room, and counts everyone who may view it', async () => {
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username)
      select gen_random_uuid(), ${`crowd_${made}_`}::text || place from generate_series(1, 1200) as place
      returning id, username
    ), joined as (
      insert into members (space_id, user_id) select ${space.id}, id from crowd
    ), given as (
      insert into member_roles (space_id, user_id, role_id)
      select ${space.id}, id, ${crew} from crowd where username like '%7'
    )
    update spaces set member_count = member_count + 1200 where id = ${space.id}`)
  const [hers, his] = [await come(ada), await come(eve)]
  await come(zoe)
  lookInto(hers, space.id, room)
  await sees(hers, '2/123 online:2 | ada=online eve=online')
  await ada.client.roles.assign(space.id, zoe.id, crew)
  await sees(hers, '3/124 online:3 | ada=online eve=online zoe=online')
  await ada.client.overwrites.delete(space.id, room, kim.id)
  await sees(hers, '3/123 online:3 | ada=online eve=online zoe=online')
  await ada.client.overwrites.delete(space.id, room, space.id)
  await ada.client.overwrites.upsert(space.id, room, onRole(crew, 0, ViewChannels))
  await sees(hers, '1/1082 online:1 | ada=online')
  his.close()
  await ada.client.members.kick(space.id, kim.id)
  await sees(hers, '1/1081 online:1 | ada=online')
})
