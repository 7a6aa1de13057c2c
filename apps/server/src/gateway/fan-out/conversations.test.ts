import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import {
  connect,
  type GatewayClient,
  type Identity,
  identify,
  openGateway,
  openSession,
  resume,
} from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { holdReads } from '#test/locks/held-reads.ts'
import { acquaint, makeDirect, makeGroup, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'

let server: SharedServer
let ada: Person
let eve: Person
let kim: Person
let ben: Person
let open: GatewayClient[] = []
let count = 0

before(async () => {
  server = await startSharedServer(readConfig({ PORT: '0', RATE_LIMITS: 'off' }))
})
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
  ben = await createPerson(server, `ben${count}`)
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

function keep(client: GatewayClient): GatewayClient {
  open.push(client)
  return client
}

const listen = async (person: Person) => keep(await connect(server, person))

const besides = ['READY', 'RESUMED', 'PRESENCE_UPDATE']

/** Returns the conversation events of the connection, with the content of their messages. */
async function toldOf(client: GatewayClient): Promise<string[]> {
  await client.settle()
  const events = client.frames.filter(({ t }) => t !== undefined && !besides.includes(t))
  return events.map(({ t, d }) => (t === 'MESSAGE_CREATE' ? `${Object(d).content}` : `${t}`))
}

function conversationsIn(client: GatewayClient): { id: string; recipients: unknown[] }[] {
  return JSON.parse(client.heard('READY')[0]?.text ?? '').d.conversations
}

/** The user goes away, something happens, and they come back, to this server or another one. */
async function miss(
  person: Person,
  what: () => Promise<unknown>,
  elsewhere?: RunningServer,
): Promise<GatewayClient> {
  const identity: Identity = await openSession(server, person.id)
  const away = await identify(server, identity)
  await away.settle()
  const s = away.frames.reduce(
    (greatest, frame) => ((frame.s ?? '') > greatest ? `${frame.s}` : greatest),
    '',
  )
  away.close()
  await what()
  return keep(await resume(elsewhere ?? server, identity, s))
}

test('CONVERSATION-14: events of a conversation reach the users in it', async () => {
  const { id } = await makeGroup(server, ada, [eve, ben])
  const [hers, theirs, his] = [await listen(ada), await listen(eve), await listen(kim)]
  await say(ada, id, 'tea?')
  await eve.client.messages.typing({ conversation: id })
  await eve.client.conversations.update(id, { name: 'Coffee' })
  await ada.client.users.updateMe({ alias: 'Ada' })
  const heard = ['tea?', 'TYPING_START', 'CONVERSATION_UPDATE', 'USER_UPDATE']
  assert.deepEqual(await toldOf(theirs), [...heard, 'USER_UPDATE'])
  assert.deepEqual((await toldOf(hers)).slice(0, 3), heard.slice(0, 3))
  assert.deepEqual(await toldOf(his), [])
})

test('CONVERSATION-14: a new member receives everything from CONVERSATION_CREATE on, and a former one nothing after CONVERSATION_DELETE', async () => {
  await acquaint(server, [ada, kim])
  const { id } = await makeGroup(server, ada, [eve, ben])
  const his = await listen(kim)
  for (let round = 0; round < 2; round += 1) {
    await say(ada, id, 'before')
    await ada.client.conversations.addMember(id, kim.id)
    await say(eve, id, 'while')
    await ada.client.conversations.removeMember(id, kim.id)
    await say(ada, id, 'after')
  }
  const cycle = ['CONVERSATION_CREATE', 'while', 'CONVERSATION_DELETE']
  assert.deepEqual(await toldOf(his), [...cycle, ...cycle])
})

test('CONVERSATION-14: a message is in what a new member first receives, or follows it', async () => {
  await acquaint(server, [ada, kim])
  const { id } = await makeGroup(server, ada, [eve, ben])
  const his = await listen(kim)
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${id} for update`)
  const added = ada.client.conversations.addMember(id, kim.id)
  await lock.waitForBlocked(1)
  const said = say(eve, id, 'meanwhile')
  await lock.waitForBlocked(2)
  await lock.release()
  await Promise.all([added, said])
  const { last_seq } = Object((await his.findEvent('CONVERSATION_CREATE')).d)
  // The member may have to be looked up.
  if (last_seq === 0) await his.findEvent('MESSAGE_CREATE')
  const expected = last_seq === 0 ? ['CONVERSATION_CREATE', 'meanwhile'] : ['CONVERSATION_CREATE']
  assert.deepEqual(await toldOf(his), expected)
})

test('CONVERSATION-6: a user who closed it receives it before the message, on all devices', async () => {
  const { id } = await makeDirect(server, ada, eve)
  const devices = [await listen(eve), await listen(eve)]
  await eve.client.conversations.close(id)
  await say(ada, id, 'still there?')
  await say(ada, id, 'hello?')
  const told = ['CONVERSATION_DELETE', 'CONVERSATION_CREATE', 'still there?', 'hello?']
  for (const device of devices) assert.deepEqual(await toldOf(device), told)
})

test('CONVERSATION-15: READY has the conversations that the user lists, and their read states', async () => {
  const [direct, group] = [await makeDirect(server, ada, eve), await makeGroup(server, ada, [eve, kim])]
  await say(ada, direct.id)
  const closed = await makeDirect(server, eve, kim)
  await eve.client.conversations.close(closed.id)
  const client = await listen(eve)
  assert.deepEqual(conversationsIn(client), await eve.client.conversations.list())
  assert.deepEqual(
    conversationsIn(client)
      .map(({ id }) => id)
      .toSorted(),
    [direct.id, group.id].toSorted(),
  )
  const { read_states } = JSON.parse(client.heard('READY')[0]?.text ?? '').d
  const state = { room_id: null, conversation_id: direct.id, last_read_seq: 0 }
  assert.deepEqual(read_states, [{ ...state, unread_count: 1, mention_count: 0 }])
  const stranger = await listen(await createPerson(server, `stranger${count}`))
  assert.deepEqual(conversationsIn(stranger), [])
})

for (const [what, isAdded] of [
  ['added', true],
  ['removed', false],
] as const) {
  test(`CONVERSATION-14: a user ${what} while they identify receives exactly what they may`, async () => {
    await acquaint(server, [ada, kim])
    const { id } = await makeGroup(server, ada, isAdded ? [eve, ben] : [eve, kim])
    const change = () =>
      isAdded
        ? ada.client.conversations.addMember(id, kim.id)
        : ada.client.conversations.removeMember(id, kim.id)
    await say(ada, id, 'everything is cached')
    const identity = await openSession(server, kim.id)
    const his = keep(await openGateway(server))
    const reads = await holdReads(server)
    his.send(Opcode.Identify, identity)
    await his.settle()
    await change()
    await reads.release()
    await his.findEvent('READY')
    await say(ada, id, 'afterwards')
    const told = await toldOf(his)
    assert.equal(told.includes('afterwards'), isAdded)
    const isListed = conversationsIn(his).some((conversation) => conversation.id === id)
    const last = told.findLast((name) => name.startsWith('CONVERSATION_'))
    assert.equal(last === undefined ? isListed : last === 'CONVERSATION_CREATE', isAdded)
  })
}

test('CONVERSATION-14: a user removed between the look-up of their list and READY receives nothing more', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  await say(ada, id, 'everything is cached')
  const identity = await openSession(server, kim.id)
  const his = keep(await openGateway(server))
  // The memberships are looked up beside the list of conversations, and returned later.
  const lock = await holdLock(server, sql`lock table members in access exclusive mode`)
  his.send(Opcode.Identify, identity)
  await lock.waitForBlocked(1)
  await ada.client.conversations.removeMember(id, kim.id)
  await lock.release()
  await his.findEvent('READY')
  await say(ada, id, 'afterwards')
  const told = await toldOf(his)
  assert.deepEqual([conversationsIn(his), told.includes('afterwards')], [[], false])
})

test('CONVERSATION-15: a client that resumes receives newly listed conversations whole, and the missed messages of them', async () => {
  await acquaint(server, [eve, kim])
  const [left, kept] = [await makeGroup(server, ada, [eve, ben]), await makeGroup(server, ada, [eve, ben])]
  const came = await makeGroup(server, ada, [kim, ben])
  const client = await miss(eve, async () => {
    for (const { id } of [left, kept, came]) await say(ada, id, `before in ${id}`)
    await kim.client.conversations.addMember(came.id, eve.id)
    await ada.client.conversations.removeMember(left.id, eve.id)
    for (const { id } of [left, kept, came]) await say(ada, id, `after in ${id}`)
  })
  const [first, second, ...rest] = await toldOf(client)
  // Both were listed since 15 s before Eve went away.
  assert.deepEqual([first, second], ['CONVERSATION_CREATE', 'CONVERSATION_CREATE'])
  const anew = client.heard('CONVERSATION_CREATE').map(({ d, s }) => [Object(d).id, Object(d).last_seq, s])
  assert.deepEqual(anew.toSorted(), [kept, came].map(({ id }) => [id, 2, undefined]).toSorted())
  assert.deepEqual(rest, [
    `before in ${kept.id}`,
    `before in ${came.id}`,
    'CONVERSATION_MEMBER_ADD',
    'CONVERSATION_DELETE',
    `after in ${kept.id}`,
    `after in ${came.id}`,
  ])
})

test('CONVERSATION-15: a conversation that removed and added the user while they were away is sent as it is now, without its end', async () => {
  await acquaint(server, [ada, eve])
  const { id } = await makeGroup(server, ada, [eve, ben])
  const client = await miss(eve, async () => {
    await ada.client.conversations.removeMember(id, eve.id)
    await ada.client.conversations.addMember(id, eve.id)
    await ada.client.conversations.update(id, { name: 'Again' })
  })
  const told = await toldOf(client)
  assert.deepEqual([told[0], told.includes('CONVERSATION_DELETE')], ['CONVERSATION_CREATE', false])
  assert.equal(Object(client.heard('CONVERSATION_CREATE')[0]?.d).name, 'Again')
})

test('CONVERSATION-15: changes of a group just before `s` are not repeated', async () => {
  await acquaint(server, [ada, eve, kim])
  const { id } = await makeGroup(server, ada, [eve, ben])
  await ada.client.conversations.addMember(id, kim.id)
  await ada.client.conversations.removeMember(id, kim.id)
  const client = await miss(eve, () => ada.client.conversations.addMember(id, kim.id))
  assert.deepEqual(await toldOf(client), ['CONVERSATION_CREATE', 'CONVERSATION_MEMBER_ADD'])
})

test('CONVERSATION-15: another server replays the messages, and sends conversations that were reopened', async () => {
  const { id } = await makeDirect(server, ada, eve)
  await eve.client.conversations.close(id)
  const other = await startServer({ ...server.shared, log: pino({ level: 'silent' }) })
  try {
    const client = await miss(eve, () => say(ada, id, 'are you there?'), other)
    assert.deepEqual(await toldOf(client), ['CONVERSATION_CREATE', 'are you there?'])
    client.close()
  } finally {
    await other.close()
  }
})
