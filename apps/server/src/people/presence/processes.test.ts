import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { MemberList } from '@foyer/sdk/member-list'
import { sql } from '#src/kernel/sql/sql.ts'
import { type GatewayClient, identify, openSession } from '#test/gateway-client.ts'
import { startChildServer } from '#test/processes/child-server.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { listShown, lookInto } from '#test/scenes/member-lists.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

let processes: Processes
let open: GatewayClient[] = []
let made = 0

before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => processes?.close())

async function newFriends(): Promise<[Person, Person]> {
  made += 1
  const [first] = processes.servers
  const [ada, eve] = [await createPerson(first, `ada${made}`), await createPerson(first, `eve${made}`)]
  await acquaint(first, [ada, eve])
  return [ada, eve]
}

/** @param presence what IDENTIFY carries */
async function come(at: { url: string }, { id }: Person, presence?: object): Promise<GatewayClient> {
  const client = await identify(at, { ...(await openSession(processes.servers[0], id)), presence })
  open.push(client)
  return client
}

/** The last that the client was told of somebody. */
function lastOf(client: GatewayClient, { id }: Person): string | undefined {
  const told = client.frames.flatMap(({ t, text }) => {
    if (t !== 'READY' && t !== 'PRESENCE_UPDATE') return []
    const { d } = JSON.parse(text)
    return t === 'READY' ? [{ user_id: id, status: 'offline' }, ...d.presences] : [d]
  })
  return told.findLast(({ user_id }) => user_id === id)?.status
}

const sees = (client: GatewayClient, person: Person, status: string) =>
  until(async () => lastOf(client, person) === status, `${status} is seen`)

test('PRESENCE-7: a user’s presence is the same on every process, computed from all of them', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const friend = await come(other, eve)
  const first = await come(one, ada, { status: 'idle' })
  await sees(friend, ada, 'idle')
  const second = await come(other, ada, { status: 'dnd' })
  await Promise.all([sees(friend, ada, 'dnd'), sees(first, ada, 'dnd')])
  assert.equal(lastOf(await come(one, eve), ada), 'dnd')
  assert.deepEqual(
    [await one.deps.presences.isConnected(eve.id), await other.deps.presences.isConnected(ada.id)],
    [true, true],
  )
  first.send(Opcode.PresenceUpdate, { status: 'invisible' })
  await Promise.all([sees(friend, ada, 'offline'), sees(second, ada, 'invisible')])
  assert.equal(lastOf(await come(other, eve), ada), 'offline')
  assert.doesNotMatch(friend.frames.map(({ text }) => text).join(), /invisible/)
  first.close()
  await first.closed
  await sees(friend, ada, 'dnd')
  second.close()
  await until(async () => !(await one.deps.presences.isConnected(ada.id)), 'no connection is left')
})

test('PRESENCE-11: a status chosen through one process applies to connections of the others', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const friend = await come(one, eve)
  const [desk, phone] = [await come(one, ada), await come(other, ada)]
  await sees(friend, ada, 'online')
  for (const [status, shown] of [
    ['invisible', 'offline'],
    ['dnd', 'dnd'],
    ['online', 'online'],
  ] as const) {
    await ada.client.users.chooseStatus(status)
    await Promise.all([sees(friend, ada, shown), sees(desk, ada, status), sees(phone, ada, status)])
  }
})

test('LIST-9: the list of a room has its viewers on all processes, whichever of them changed it', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const kim = await createPerson(one, `kim${made}`)
  const space = await makeSpace(ada, [eve, kim])
  const { id: crew } = await ada.client.roles.create(space.id, { name: 'Crew' })
  const { id: room } = await ada.client.rooms.create(space.id, { name: 'plans', type: 1 })
  const onRole = (target_id: string, allow_flags: number, deny_flags = 0) =>
    ada.client.overwrites.upsert(space.id, room, { target_id, target_type: 0, allow_flags, deny_flags })
  const client = await come(other, ada)
  const his = await come(one, eve)
  await come(one, kim)
  lookInto(client, space.id, room)
  const seen = (expected: string) =>
    until(async () => listShown(client, space.id, room) === expected, expected)
  await seen('3/3 online:3 | ada=online eve=online kim=online')
  await onRole(space.id, 0, Permission.ViewChannels)
  await seen('1/1 online:1 | ada=online')
  await onRole(crew, Permission.ViewChannels)
  await ada.client.roles.assign(space.id, eve.id, crew)
  await seen('2/2 online:2 | ada=online eve=online')
  await his.findEvent('ROOM_CREATE')
  lookInto(his, space.id, room)
  await his.findEvent('SPACE_MEMBER_LIST_UPDATE')
  await ada.at(other).client.roles.remove(space.id, eve.id, crew)
  await seen('1/1 online:1 | ada=online')
  await his.find(({ t, text }) => t === 'ROOM_DELETE' && text.includes(room), 'the loss')
  await ada.at(other).client.roles.assign(space.id, kim.id, crew)
  await seen('2/2 online:2 | ada=online kim=online')
  await his.settle()
  assert.equal(his.heard('SPACE_MEMBER_LIST_UPDATE').length, 1)
})

test('PRESENCE-8: users of a killed process are soon offline, and those who come back elsewhere stay online', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const [kim, zoe] = await newFriends()
  await acquaint(one, [ada, eve, kim, zoe])
  const child = await startChildServer(processes.shared)
  const friend = await come(one, eve)
  for (const person of [ada, kim]) {
    await come(child, person)
    await sees(friend, person, 'online')
  }
  await child.kill()
  await come(other, kim)
  await sees(friend, ada, 'offline')
  assert.equal(lastOf(friend, kim), 'online')
  assert.equal(lastOf(await come(other, zoe), ada), 'offline')
})

test('LIST-8: a list has the members of all processes, in a large space, too', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const [kim] = await newFriends()
  const space = await makeSpace(ada, [eve, kim])
  await come(one, eve, { status: 'idle' })
  const client = await come(other, ada)
  const namesNow = () => {
    const list = new MemberList()
    for (const { t, text } of client.frames) {
      if (t === 'SPACE_MEMBER_LIST_UPDATE') list.update(JSON.parse(text).d)
      if (t === 'PRESENCE_UPDATE') list.setPresence(JSON.parse(text).d)
    }
    const listed = [0, 1, 2].flatMap((place) => list.at(place) ?? [])
    const presences = listed.map(({ member, presence }) => `${member.user_id}=${presence?.status}`)
    return `${list.onlineCount} ${presences.join(' ')}`
  }
  const member_ranges = [[0, 99]]
  client.send(Opcode.Subscribe, { space_id: space.id, member_ranges })
  await until(
    async () => namesNow() === `2 ${ada.id}=online ${eve.id}=idle ${kim.id}=undefined`,
    'the small list',
  )
  client.send(Opcode.Subscribe, { space_id: space.id })
  await client.settle()
  await one.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username) select gen_random_uuid(), 'crowd_' || place from generate_series(1, 1000) as place
      returning id
    )
    insert into members (space_id, user_id) select ${space.id}, id from crowd`)
  client.send(Opcode.Subscribe, { space_id: space.id, member_ranges })
  await until(async () => namesNow() === `2 ${ada.id}=online ${eve.id}=idle`, 'the large list')
  const third = await come(one, kim)
  await until(
    async () => namesNow() === `3 ${ada.id}=online ${kim.id}=online ${eve.id}=idle`,
    'who came elsewhere',
  )
  third.send(Opcode.PresenceUpdate, { status: 'invisible' })
  await until(async () => namesNow() === `2 ${ada.id}=online ${eve.id}=idle`, 'who hides elsewhere')
})

test('PRESENCE-9: a process sends what it knows without Valkey, and recovers when Valkey comes back empty', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve] = await newFriends()
  const [hers, his, far] = [await come(one, ada), await come(one, eve), await come(other, eve)]
  await Promise.all([sees(his, ada, 'online'), sees(far, ada, 'online')])
  await processes.valkey.kill()
  hers.send(Opcode.PresenceUpdate, { status: 'dnd' })
  await sees(his, ada, 'dnd')
  await processes.valkey.start()
  await sees(far, ada, 'dnd')
  await until(async () => lastOf(await come(other, eve), ada) === 'dnd', 'READY elsewhere')
  hers.send(Opcode.PresenceUpdate, { status: 'idle' })
  await Promise.all([sees(his, ada, 'idle'), sees(far, ada, 'idle')])
})
