import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  type GatewayClient,
  type Identity,
  identify,
  openGateway,
  openSession,
} from '#test/gateway-client.ts'
import { holdCommit } from '#test/locks/held-commits.ts'
import { holdRead } from '#test/locks/held-read.ts'
import { acquaint, makeGroup, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

/** Reads the journal for events that resuming clients have not received. */
const READ_OF_JOURNAL = 'cross join lateral'

let server: TestServer
let ada: Person
let eve: Person
let ben: Person
let identity: Identity
let place: string
let his: GatewayClient
before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  ben = await createPerson(server, 'ben')
  await acquaint(server, [ada, eve, ben])
})
afterEach(() => his.close())
after(() => server.close())

/** Eve was here until now. */
async function leave(): Promise<void> {
  identity = await openSession(server, eve.id)
  const client = await identify(server, identity)
  place = (await client.findEvent('READY')).s ?? ''
  client.close()
}

/** She is about to come back. */
async function comeBack(): Promise<void> {
  his = await openGateway(server)
  his.send(Opcode.Resume, { token: identity.token, session_token: identity.session_token, s: place })
}

/** Returns the names of new events that the client received about an id, and the content of messages. */
function told(about = ''): string[] {
  const seen = new Set<string>()
  const events = his.frames.filter(({ t, s, text }) => {
    const isNew = s === undefined || !seen.has(s)
    if (s !== undefined) seen.add(s)
    return t !== undefined && isNew && text.includes(about)
  })
  return events.map(({ t, d }) => (t === 'MESSAGE_CREATE' ? `${Object(d).content}` : `${t}`))
}

test('CONVERSATION-14: a user removed while resuming receives nothing of the conversation after its end', async (context) => {
  const { id } = await makeGroup(server, ada, [eve, ben])
  await leave()
  const read = holdRead(context, server, READ_OF_JOURNAL)
  await comeBack()
  await read.asked
  await say(ada, id, 'before the end')
  await ada.client.conversations.removeMember(id, eve.id)
  read.release()
  await his.findEvent('RESUMED')
  await his.settle()
  assert.ok(told().includes('CONVERSATION_DELETE'))
  assert.ok(!told().includes('before the end'))
})

test('GATEWAY-7: a user who leaves a space while resuming receives nothing of it after its end', async (context) => {
  const space = await makeSpace(ada, [eve])
  await leave()
  const read = holdRead(context, server, READ_OF_JOURNAL)
  await comeBack()
  await read.asked
  await ada.client.messages.create(space.general, { content: 'before the end' })
  await eve.client.members.leave(space.id)
  read.release()
  await his.findEvent('RESUMED')
  await his.settle()
  assert.ok(told().includes('SPACE_DELETE'))
  assert.ok(!told().includes('before the end'))
})

test('CONVERSATION-14: a user added and removed while away receives nothing of the conversation, even if the end is not known yet', async (context) => {
  const { id } = await makeGroup(server, ada, [ben, await createPerson(server, 'lou')])
  await leave()
  await ada.client.conversations.addMember(id, eve.id)
  await say(ada, id, 'missed')
  const read = holdRead(context, server, READ_OF_JOURNAL)
  await comeBack()
  await read.asked
  await say(ada, id, 'held')
  const removal = holdCommit(context, 'delete from conversation_members')
  const removed = ada.client.conversations.removeMember(id, eve.id)
  await removal.committed
  read.release()
  await his.findEvent('RESUMED')
  removal.release()
  await removed
  await his.settle()
  assert.deepEqual(told(id), ['CONVERSATION_DELETE'])
})

test('GATEWAY-7: a user who lost a room while away receives nothing of it, even if that is not known yet', async (context) => {
  const space = await makeSpace(ada, [eve])
  await leave()
  await ada.client.messages.create(space.general, { content: 'missed' })
  const read = holdRead(context, server, READ_OF_JOURNAL)
  await comeBack()
  await read.asked
  const change = holdCommit(context, 'insert into room_overwrites')
  const hidden = ada.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  await change.committed
  read.release()
  await his.findEvent('RESUMED')
  change.release()
  await hidden
  await his.settle()
  assert.ok(!told().includes('missed'))
})

test('JOURNAL-5: a room gained while resuming is sent before its messages, and nothing from before', async (context) => {
  const space = await makeSpace(ada, [eve])
  const show = (isShown: boolean) =>
    ada.client.overwrites.upsert(space.id, space.lounge, {
      target_id: space.id,
      target_type: OverwriteTarget.Role,
      allow_flags: 0,
      deny_flags: isShown ? 0 : Permission.ViewChannels,
    })
  await show(false)
  await leave()
  // The replay begins 15 s before the client's position. There it would find the room hidden, and resend the space.
  await server.deps.database.execute(sql`delete from events where tenant_id in (${space.id}, ${eve.id})`)
  await ada.client.messages.create(space.lounge, { content: 'before it was hers' })
  const read = holdRead(context, server, READ_OF_JOURNAL, 'behind')
  await comeBack()
  await read.asked
  await show(true)
  await ada.client.messages.create(space.lounge, { content: 'to her too' })
  read.release()
  await his.findEvent('RESUMED')
  await his.settle()
  const heard = told(space.lounge).filter((name) => name !== 'ROOM_OVERWRITE_UPDATE')
  assert.deepEqual(heard, ['ROOM_CREATE', 'to her too'])
})

for (const when of ['before', 'behind'] as const) {
  test(`CONVERSATION-15: a user removed while away, and added again while resuming, receives the end and then the beginning (${when})`, async (context) => {
    const { id } = await makeGroup(server, ada, [eve, ben])
    await leave()
    await say(ada, id, 'before the end')
    await ada.client.conversations.removeMember(id, eve.id)
    await say(ada, id, 'without her')
    const read = holdRead(context, server, READ_OF_JOURNAL, when)
    await comeBack()
    await read.asked
    await ada.client.conversations.addMember(id, eve.id)
    await say(ada, id, 'again with her')
    read.release()
    await his.findEvent('RESUMED')
    await his.settle()
    assert.deepEqual(told(id), ['CONVERSATION_DELETE', 'CONVERSATION_CREATE', 'again with her'])
  })

  test(`JOURNAL-5: a user who left while away, and joins again while resuming, receives the end and then the beginning (${when})`, async (context) => {
    const space = await makeSpace(ada, [eve])
    const { code } = await ada.client.invites.create(space.id, space.general)
    await leave()
    await ada.client.messages.create(space.general, { content: 'before the end' })
    await eve.client.members.leave(space.id)
    await ada.client.messages.create(space.general, { content: 'without her' })
    const read = holdRead(context, server, READ_OF_JOURNAL, when)
    await comeBack()
    await read.asked
    await eve.client.invites.join(code)
    await ada.client.messages.create(space.general, { content: 'again with her' })
    read.release()
    await his.findEvent('RESUMED')
    await his.settle()
    const heard = told(space.id).filter((name) => !/^(PRESENCE|SPACE_MEMBER)_/.test(name))
    assert.deepEqual(heard, ['SPACE_DELETE', 'SPACE_CREATE', 'again with her'])
  })
}

test('CONVERSATION-15: a client that resumes before the server knows of its addition and removal ends without the conversation', async (context) => {
  const { id } = await makeGroup(server, ada, [ben, await createPerson(server, 'kim')])
  await leave()
  const addition = holdCommit(context, 'insert into conversation_members')
  const added = ada.client.conversations.addMember(id, eve.id)
  await addition.committed
  const removal = holdCommit(context, 'delete from conversation_members')
  const removed = ada.client.conversations.removeMember(id, eve.id)
  await removal.committed
  await comeBack()
  await his.findEvent('RESUMED')
  for (const change of [addition, removal]) {
    change.release()
    await (change === addition ? added : removed)
  }
  await his.find(({ t, s, text }) => t === 'CONVERSATION_DELETE' && s !== undefined && text.includes(id))
  const lists = told(id).filter((name) => name.startsWith('CONVERSATION_'))
  assert.deepEqual(lists, ['CONVERSATION_DELETE', 'CONVERSATION_CREATE', 'CONVERSATION_DELETE'])
})

test('PROCESS-22: a process that may have missed events replays nothing until it has caught up', async () => {
  const { id } = await makeGroup(server, ada, [eve, ben])
  await leave()
  await say(ada, id, 'meanwhile')
  const { freshness } = server.deps.bus
  freshness.end()
  await comeBack()
  await his.settle()
  assert.ok(!told().includes('meanwhile') && !told().includes('RESUMED'))
  freshness.holdUntil(Number.POSITIVE_INFINITY)
  await his.findEvent('RESUMED')
  await his.settle()
  assert.deepEqual(told().slice(-2), ['meanwhile', 'RESUMED'])
})
