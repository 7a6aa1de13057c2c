import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Opcode } from '@foyer/protocol/gateway'
import { MemberList } from '@foyer/sdk/member-list'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { listUpdates, look } from '#test/scenes/member-lists.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let zoe: Person
let space: TestSpace
let open: GatewayClient[] = []
let made = 0

before(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  made += 1
  // New users, because those of the test before stay online for a while.
  ada = await createPerson(server, `ada${made}`)
  eve = await createPerson(server, `eve${made}`)
  kim = await createPerson(server, `kim${made}`)
  zoe = await createPerson(server, `zoe${made}`)
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function come(person: Person, status?: string): Promise<GatewayClient> {
  const client = await connect(server, person)
  open.push(client)
  if (status !== undefined) client.send(Opcode.PresenceUpdate, { status })
  await client.settle()
  return client
}

/** The space's list that a client builds from everything it received. */
function listOf(client: GatewayClient, spaceId: string): MemberList {
  const list = new MemberList()
  for (const { t, text } of client.frames) {
    const { d } = JSON.parse(text)
    if (t === 'PRESENCE_UPDATE') list.setPresence(d)
    if (t === 'SPACE_MEMBER_LIST_UPDATE' && d.space_id === spaceId) list.update(d)
  }
  return list
}

/** One line: the counts of the groups, and the names in order with their presence. */
function shown(client: GatewayClient, { id }: { id: string }): string {
  const list = listOf(client, id)
  const groups = list.groups.map(({ id: groupId, count }) => `${groupId}:${count}`)
  const names: string[] = []
  for (let place = 0; place < 400; place += 1) {
    const listed = list.at(place)
    if (listed !== undefined)
      names.push(nameOf(listed.member.user.username.replace(/\d+$/, ''), listed.presence?.status))
  }
  return `${list.onlineCount}/${list.memberCount} ${groups.join(' ')} | ${names.join(' ')}`
}

function nameOf(username: string, status = ''): string {
  return status === '' ? username : `${username}=${status}`
}

async function sees(client: GatewayClient, list: TestSpace, expected: string): Promise<void> {
  const deadline = Date.now() + 20_000
  while (shown(client, list) !== expected && Date.now() < deadline) await delay(50)
  assert.equal(shown(client, list), expected)
}

test('LIST-1: the list has online members by hoisted roles and names, then the others, and follows changes', async () => {
  space = await makeSpace(ada, [eve, kim, zoe])
  const hers = await come(ada)
  await come(eve, 'idle')
  look(hers, space.id)
  await sees(hers, space, '2/4 online:2 offline:2 | ada=online eve=idle kim zoe')
  const his = await come(zoe)
  await sees(hers, space, '3/4 online:3 offline:1 | ada=online eve=idle zoe=online kim')
  const role = await ada.client.roles.create(space.id, { name: 'Crew', hoisted: true })
  await ada.client.roles.assign(space.id, zoe.id, role.id)
  await sees(hers, space, `3/4 ${role.id}:1 online:2 offline:1 | zoe=online ada=online eve=idle kim`)
  await ada.client.members.update(space.id, eve.id, { nickname: 'Aaron' })
  await ada.client.users.updateMe({ alias: 'Älbert' })
  await sees(hers, space, `3/4 ${role.id}:1 online:2 offline:1 | zoe=online eve=idle ada=online kim`)
  his.send(Opcode.PresenceUpdate, { status: 'dnd' })
  await ada.client.roles.update(space.id, role.id, { hoisted: false })
  await sees(hers, space, '3/4 online:3 offline:1 | eve=idle ada=online zoe=dnd kim')
  await ada.client.members.kick(space.id, kim.id)
  await ada.client.members.kick(space.id, eve.id)
  await sees(hers, space, '2/2 online:2 | ada=online zoe=dnd')
  await join(kim, ada, space)
  await sees(hers, space, '2/3 online:2 offline:1 | ada=online zoe=dnd kim')
})

test('LIST-2: invisible users are offline for everyone, and blocking and blocked ones for each other', async () => {
  space = await makeSpace(ada, [eve, kim, zoe])
  const hers = await come(ada)
  const [his, theirs] = [await come(eve), await come(kim, 'invisible')]
  for (const client of [hers, his, theirs]) look(client, space.id)
  const both = '2/4 online:2 offline:2 | ada=online eve=online kim zoe'
  for (const client of [hers, his, theirs]) await sees(client, space, both)
  await eve.client.friends.block(ada.id)
  await sees(hers, space, '1/4 online:1 offline:3 | ada=online eve kim zoe')
  await sees(his, space, '1/4 online:1 offline:3 | eve=online ada kim zoe')
  const seen = hers.frames.length
  his.send(Opcode.PresenceUpdate, { status: 'dnd' })
  hers.send(Opcode.PresenceUpdate, { status: 'idle' })
  await sees(theirs, space, '2/4 online:2 offline:2 | ada=idle eve=dnd kim zoe')
  await hers.settle()
  assert.doesNotMatch(
    hers.frames
      .slice(seen)
      .map(({ text }) => text)
      .join(),
    /dnd/,
  )
  await eve.client.friends.unblock(ada.id)
  await sees(hers, space, '2/4 online:2 offline:2 | ada=idle eve=dnd kim zoe')
  assert.doesNotMatch(hers.frames.map(({ text }) => text).join(), /invisible/)
})

test('LIST-3: only members can subscribe, and an invalid subscription is an ERROR that changes nothing', async () => {
  space = await makeSpace(ada, [eve])
  const outsider = await come(kim)
  const hers = await come(ada)
  look(outsider, space.id)
  const refusal = await outsider.findCommand(Opcode.Error)
  assert.match(refusal.text, /not_a_member/)
  const wrong = [
    { member_ranges: [[0, 100]] },
    { member_ranges: [[1, 0]] },
    { member_ranges: [[-1, 5]] },
    { member_ranges: [[0]] },
    { member_ranges: [[0, 1, 2]] },
    { member_ranges: [['0', 1]] },
    { member_ranges: [[0, 2 ** 31]] },
    { member_ranges: 5 },
    {
      member_ranges: [
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
      ],
    },
    { presence: 'no' },
    { typing: null },
    { space_id: 'x' },
  ]
  for (const subscription of wrong) look(hers, space.id, { ...subscription, nonce: 'wrong' })
  await hers.find(
    () => hers.frames.filter(({ op }) => op === Opcode.Error).length === wrong.length,
    'the errors',
  )
  assert.ok(
    hers.frames.every(({ op, text }) => op !== Opcode.Error || /invalid_request.*"nonce":"wrong"/.test(text)),
  )
  assert.deepEqual(listUpdates(hers), [])
})

test('LIST-4: a subscription replaces the previous one, and leaving ends it', async () => {
  space = await makeSpace(ada, [eve, kim])
  const [hers, his] = [await come(ada), await come(eve)]
  look(hers, space.id, {
    member_ranges: [
      [0, 0],
      [2, 2],
    ],
  })
  await hers.find(() => listUpdates(hers).length === 1, 'the list')
  assert.deepEqual(
    listUpdates(hers)[0]?.ranges.map(({ user_ids }) => user_ids.length),
    [1, 1],
  )
  look(his, space.id)
  await his.find(() => listUpdates(his).length === 1, 'the list')
  look(hers, space.id, {})
  await hers.settle()
  await eve.client.members.leave(space.id)
  await come(kim)
  const witness = await come(ada)
  look(witness, space.id)
  await sees(witness, space, '2/2 online:2 | ada=online kim=online')
  // Sent after the witness' list, so that the lists of the others would have arrived.
  await ada.client.users.updateMe({ alias: 'Xenia' })
  await sees(witness, space, '2/2 online:2 | kim=online ada=online')
  await Promise.all([hers.settle(), his.settle()])
  assert.deepEqual([listUpdates(hers).length, listUpdates(his).length], [1, 1])
  await ada.client.users.updateMe({ alias: null })
})

test('LIST-5: presences and typing indicators can be left out', async () => {
  space = await makeSpace(ada, [eve, zoe])
  const [hers, theirs, his] = [await come(ada), await come(zoe), await come(eve)]
  look(hers, space.id, { member_ranges: [[0, 99]], presence: false, typing: false })
  look(theirs, space.id)
  await sees(theirs, space, '3/3 online:3 | ada=online eve=online zoe=online')
  await sees(hers, space, '3/3 online:3 | ada eve zoe')
  his.send(Opcode.PresenceUpdate, { status: 'idle' })
  await theirs.findEvent('PRESENCE_UPDATE')
  await eve.client.messages.typing(space.general)
  await theirs.findEvent('TYPING_START')
  await hers.settle()
  assert.deepEqual([hers.heard('PRESENCE_UPDATE').length, hers.heard('TYPING_START').length], [0, 0])
  look(hers, space.id, {})
  await hers.settle()
  await zoe.client.messages.typing(space.general)
  await hers.findEvent('TYPING_START')
})

test('LIST-6: a connection sees the lists of up to 10 spaces', async () => {
  const hers = await come(ada)
  const spaces = await Promise.all(Array.from({ length: 11 }, () => makeSpace(ada)))
  for (const { id } of spaces) look(hers, id)
  assert.match((await hers.findCommand(Opcode.Error)).text, /too_many_lists/)
  await hers.find(() => new Set(listUpdates(hers).map(({ space_id }) => space_id)).size === 10, 'ten lists')
})

test('LIST-7: a large space lists those online, and counts everyone', async () => {
  space = await makeSpace(ada, [eve, kim])
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username) select gen_random_uuid(), 'crowd_' || place from generate_series(1, 1200) as place
      returning id
    ), joined as (
      insert into members (space_id, user_id) select ${space.id}, id from crowd
    )
    update spaces set member_count = member_count + 1200 where id = ${space.id}`)
  const his = await come(eve, 'dnd')
  const hers = await come(ada)
  look(hers, space.id)
  await sees(hers, space, '2/1203 online:2 | ada=online eve=dnd')
  const third = await come(kim)
  await sees(hers, space, '3/1203 online:3 | ada=online eve=dnd kim=online')
  his.send(Opcode.PresenceUpdate, { status: 'invisible' })
  await sees(hers, space, '2/1203 online:2 | ada=online kim=online')
  third.send(Opcode.PresenceUpdate, { status: 'idle' })
  await join(zoe, ada, space)
  await come(zoe)
  await sees(hers, space, '3/1204 online:3 | ada=online kim=idle zoe=online')
  await kim.client.friends.block(ada.id)
  await sees(hers, space, '2/1204 online:2 | ada=online zoe=online')
  await kim.client.friends.unblock(ada.id)
  await sees(hers, space, '3/1204 online:3 | ada=online kim=idle zoe=online')
})
