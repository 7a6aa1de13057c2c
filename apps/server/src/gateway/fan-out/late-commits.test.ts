import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { firstIdAt } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdCommit } from '#test/locks/held-commits.ts'
import { acquaint, makeGroup, say } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertRole } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const hidden = { target_type: 1, allow_flags: 0, deny_flags: Permission.ViewChannels } as const

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let his: GatewayClient
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
  await acquaint(server, [ada, eve, kim])
  his = await connect(server, kim)
})
afterEach(() => his.frames.splice(0))
after(async () => {
  his.close()
  await server.close()
})

/** Returns the names of the events received so far, and the content of messages. */
async function toldUntil(content: string): Promise<string[]> {
  // Late messages are looked up, and later ones wait.
  await his.find(({ t, d }) => t === 'MESSAGE_CREATE' && Object(d).content === content, content)
  await his.settle()
  const events = his.frames.filter(({ t }) => t !== undefined && t !== 'READY')
  return events.map(({ t, d }) => (t === 'MESSAGE_CREATE' ? `${Object(d).content}` : `${t}`))
}

const sayIn = ({ general }: TestSpace, content: string) => ada.client.messages.create(general, { content })

test('CONVERSATION-14: a new member receives messages sent before the server knew of the addition', async (context) => {
  const { id } = await makeGroup(server, ada, [eve, await createPerson(server, 'ben')])
  await say(ada, id, 'before')
  const addition = holdCommit(context, 'insert into conversation_members')
  const added = ada.client.conversations.addMember(id, kim.id)
  await addition.committed
  for (const content of ['first', 'second']) await say(eve, id, content)
  addition.release()
  await added
  await say(eve, id, 'third')
  const told = await toldUntil('third')
  assert.deepEqual(told, ['CONVERSATION_CREATE', 'first', 'second', 'third'])
})

test('CONVERSATION-14: a new member receives changes of messages sent before the server knew of them', async (context) => {
  const { id } = await makeGroup(server, ada, [eve, await createPerson(server, 'liz')])
  const old = await say(ada, id, 'before')
  const addition = holdCommit(context, 'insert into conversation_members')
  const added = ada.client.conversations.addMember(id, kim.id)
  await addition.committed
  const channel = { conversation: id }
  const [deleted, edited, liked] = [await say(eve, id, '1'), await say(eve, id, '2'), await say(eve, id, '3')]
  await eve.client.messages.delete(channel, deleted)
  await eve.client.messages.update(channel, edited, { content: 'changed' })
  for (const message of [liked, old]) await eve.client.reactions.add({ channel, id: message }, '🍵')
  addition.release()
  await added
  await say(eve, id, '4')
  const told = await toldUntil('4')
  const changes = ['MESSAGE_DELETE', 'MESSAGE_UPDATE', 'MESSAGE_REACTION_ADD']
  assert.deepEqual(told, ['CONVERSATION_CREATE', '1', '2', '3', ...changes, '4'])
})

test('GATEWAY-7: a user who joined a space receives messages sent before the server knew of it', async (context) => {
  const space = await makeSpace(ada, [eve])
  const { code } = await ada.client.invites.create(space.id, space.general)
  await sayIn(space, 'before')
  const joining = holdCommit(context, 'insert into members')
  const joined = kim.client.invites.join(code)
  await joining.committed
  for (const content of ['first', 'second']) await sayIn(space, content)
  joining.release()
  await joined
  await sayIn(space, 'third')
  const told = (await toldUntil('third')).filter((name) => name !== 'SPACE_MEMBER_CREATE')
  assert.deepEqual(told, ['SPACE_CREATE', 'first', 'second', 'third'])
})

test('JOURNAL-4: a late message from before a connection is received before the next one', async () => {
  const space = await makeSpace(ada, [kim])
  await sayIn(space, 'first')
  await toldUntil('first')
  // Written as by another process with a transaction that began before this connection.
  await server.deps.database.execute(sql`
    insert into events (kind, tenant_id, channel_id, id, audience, name, data)
    select kind, tenant_id, channel_id, ${firstIdAt(Date.now() - 5000)}, audience, name,
      replace(replace(data, '"seq":1,', '"seq":2,'), '"first"', '"late"')
    from events where channel_id = ${space.general} and name = 'MESSAGE_CREATE'`)
  await server.deps.database.execute(sql`
    update message_heads set last_seq = 2 where tenant_id = ${space.id} and channel_id = ${space.general}`)
  his.frames.splice(0)
  await sayIn(space, 'second')
  assert.deepEqual(await toldUntil('second'), ['late', 'second'])
})

test('GATEWAY-7: a user who gains a room receives its current position, or the later messages', async (context) => {
  const space = await makeSpace(ada, [kim])
  await ada.client.overwrites.upsert(space.id, space.general, { target_id: kim.id, ...hidden })
  await his.findEvent('ROOM_DELETE')
  his.frames.splice(0)
  await sayIn(space, 'before')
  const showing = holdCommit(context, 'delete from room_overwrites')
  const shown = ada.client.overwrites.delete(space.id, space.general, kim.id)
  await showing.committed
  for (const content of ['first', 'second']) await sayIn(space, content)
  showing.release()
  await shown
  await sayIn(space, 'third')
  const [name, ...heard] = (await toldUntil('third')).filter((event) => !event.startsWith('ROOM_OVERWRITE_'))
  const { last_seq } = Object(his.heard('ROOM_CREATE')[0]?.d)
  const all = ['before', 'first', 'second', 'third']
  assert.equal(name, 'ROOM_CREATE')
  assert.ok(heard.length >= all.length - last_seq, `after ${last_seq} came ${heard}`)
  assert.deepEqual(heard, all.slice(-heard.length))
})

test('GATEWAY-7: a kicked user receives and reads nothing that their own overwrite hid', async (context) => {
  const space = await makeSpace(ada, [eve, kim])
  await ada.client.overwrites.upsert(space.id, space.general, { target_id: kim.id, ...hidden })
  await his.findEvent('ROOM_DELETE')
  his.frames.splice(0)
  await assert.rejects(kim.client.messages.list(space.general), { status: 403 })
  const kick = holdCommit(context, 'delete from members')
  const kicked = ada.client.members.kick(space.id, kim.id)
  await kick.committed
  // The space is loaded again, without the overwrite, before the server knows who left. The change is made as by
  // another process, because here it would wait until the kick is known.
  await insertRole(server, space.id, { permissions: 0, position: 1 })
  await sayIn(space, 'secret')
  await assert.rejects(kim.client.messages.list(space.general), { status: 403 })
  const back = await connect(server, kim)
  kick.release()
  await kicked
  await his.findEvent('SPACE_DELETE')
  assert.deepEqual([his.heard('ROOM_CREATE'), his.heard('MESSAGE_CREATE')], [[], []])
  assert.ok(!JSON.stringify(back.frames).includes(space.general))
  back.close()
})
