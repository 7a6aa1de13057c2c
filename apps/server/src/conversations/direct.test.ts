import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { acquaint, makeDirect, say } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createApplicationBot, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
})

const talkTo = (person: Person, ...ids: unknown[]) =>
  person.call('POST', '/api/conversations', { recipient_ids: ids })
const idsOf = async (person: Person) => (await person.client.conversations.list()).map(({ id }) => id)

/** Returns the events about the user's list of conversations. */
async function publishedOf({ id }: Person): Promise<string[]> {
  const entries = await listJournal(server, topicOf.user(id))
  return entries.map(({ name }) => name).filter((name) => name.startsWith('CONVERSATION'))
}

test('CONVERSATION-1: two users have one direct conversation, however often either asks', async () => {
  await acquaint(server, [ada, eve])
  const made = await ada.client.conversations.create({ recipient_ids: [eve.id, eve.id] })
  const { id, created_at, recipients, ...rest } = made
  const nothing = { name: null, icon: null, owner_id: null, last_message_id: null, last_seq: 0 }
  assert.deepEqual(rest, { type: 1, ...nothing })
  assert.deepEqual(recipients.map((user) => user.id).toSorted(), [ada.id, eve.id].toSorted())
  assert.deepEqual(await eve.client.conversations.create({ recipient_ids: [ada.id] }), made)
  assert.deepEqual(await ada.client.conversations.create({ recipient_ids: [eve.id] }), made)
  for (const person of [ada, eve]) assert.deepEqual(await person.client.conversations.get(id), made)
})

test('CONVERSATION-1: two users who ask at once get the same one', async () => {
  await acquaint(server, [ada, eve])
  const ids = [ada.id, eve.id]
  const lock = await holdLock(server, sql`select from users where id = any(${ids}) for no key update`)
  const asked = [talkTo(ada, eve.id), talkTo(eve, ada.id), talkTo(ada, eve.id)]
  await lock.waitForBlocked(3)
  await lock.release()
  const answers = await Promise.all(asked)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const [adas, eves] = [await idsOf(ada), await idsOf(eve)]
  assert.deepEqual([adas.length, adas], [1, eves])
  assert.deepEqual(
    [await publishedOf(ada), await publishedOf(eve)],
    [['CONVERSATION_CREATE'], ['CONVERSATION_CREATE']],
  )
})

test('CONVERSATION-2: friends and members of one space can start one, and others get the same answer as after a block', async () => {
  assert.equal(await codeOf(talkTo(ada, eve.id)), '403 cannot_converse')
  const kim = await createPerson(server, `kim${count}`)
  const space = await makeSpace(ada, [eve, kim])
  await eve.client.friends.block(ada.id)
  await ada.client.friends.block(kim.id)
  for (const other of [eve, kim]) {
    assert.equal(await codeOf(talkTo(ada, other.id)), '403 cannot_converse')
    assert.equal(await codeOf(talkTo(other, ada.id)), '403 cannot_converse')
  }
  await eve.client.friends.unblock(ada.id)
  await ada.client.friends.unblock(kim.id)
  assert.equal(await codeOf(talkTo(ada, eve.id)), 200)
  await ada.client.spaces.delete(space.id)
  assert.equal(await codeOf(talkTo(ada, kim.id)), '403 cannot_converse')
  await acquaint(server, [ada, kim])
  assert.equal(await codeOf(talkTo(ada, kim.id)), 200)
  // Finds the existing conversation.
  assert.equal(await codeOf(talkTo(eve, ada.id)), 200)
  await eve.client.friends.block(ada.id)
  assert.equal(await codeOf(talkTo(ada, eve.id)), 200)
})

test('CONVERSATION-2: conversing with unknown users or oneself is refused', async () => {
  const gone = await createPerson(server, `gone${count}`)
  await acquaint(server, [ada, eve, gone])
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${gone.id}`)
  for (const id of [newId(), gone.id]) {
    assert.equal(await codeOf(talkTo(ada, id)), '404 unknown_user')
    assert.equal(await codeOf(talkTo(ada, id, eve.id)), '404 unknown_user')
  }
  assert.equal(await codeOf(talkTo(ada, ada.id)), '400 conversing_with_oneself')
  assert.equal(await codeOf(talkTo(ada, eve.id, ada.id)), '400 conversing_with_oneself')
  const wrong = [null, 'eve', [], [null], ['x'], Array(10).fill(eve.id), { 0: eve.id }]
  for (const recipient_ids of wrong)
    assert.equal(
      await codeOf(ada.call('POST', '/api/conversations', { recipient_ids })),
      '400 invalid_request',
    )
  assert.deepEqual([await idsOf(ada), await publishedOf(ada), await publishedOf(eve)], [[], [], []])
})

test('CONVERSATION-3: a bot converses only with people who share a space with it', async () => {
  const bot = await createApplicationBot(server, ada, { name: `Tea ${count}` })
  const other = await createApplicationBot(server, ada, { name: `Coffee ${count}` })
  assert.equal(await codeOf(talkTo(bot, eve.id)), '403 cannot_converse')
  const space = await makeSpace(ada, [eve])
  for (const { id } of [bot, other]) await ada.client.members.addBot(space.id, id)
  assert.equal(await codeOf(talkTo(bot, other.id)), '403 cannot_converse')
  assert.equal(await codeOf(talkTo(bot, eve.id, ada.id)), '403 bots_in_groups')
  assert.equal(await codeOf(talkTo(ada, eve.id, bot.id)), '403 bots_in_groups')
  const { id } = await bot.client.conversations.create({ recipient_ids: [eve.id] })
  await say(bot, id)
  assert.deepEqual([await idsOf(eve), await idsOf(bot)], [[id], [id]])
  const stranger = await createBot(server, `stranger${count}`)
  assert.equal(await codeOf(talkTo(ada, stranger.id)), '403 cannot_converse')
})

test('CONVERSATION-5: it is listed for the user who started it, and for the other after a message', async () => {
  await acquaint(server, [ada, eve])
  const { id } = await ada.client.conversations.create({ recipient_ids: [eve.id] })
  assert.deepEqual([await idsOf(ada), await idsOf(eve)], [[id], []])
  assert.deepEqual([await publishedOf(ada), await publishedOf(eve)], [['CONVERSATION_CREATE'], []])
  await say(ada, id)
  assert.deepEqual([await idsOf(ada), await idsOf(eve)], [[id], [id]])
  assert.deepEqual(
    [await publishedOf(ada), await publishedOf(eve)],
    [['CONVERSATION_CREATE'], ['CONVERSATION_CREATE']],
  )
})

test('CONVERSATION-5: the list begins with the conversation that has the newest message', async () => {
  const kim = await createPerson(server, `kim${count}`)
  const [first, second] = [await makeDirect(server, ada, eve), await makeDirect(server, ada, kim)]
  assert.deepEqual(await idsOf(ada), [second.id, first.id])
  const messageId = await say(eve, first.id)
  assert.deepEqual(await idsOf(ada), [first.id, second.id])
  const [{ last_seq, last_message_id } = first] = await ada.client.conversations.list()
  assert.deepEqual([last_seq, last_message_id], [1, messageId])
})

test('CONVERSATION-6: closing removes it from the list but keeps it readable, and the next message lists it again', async () => {
  const { id } = await makeDirect(server, ada, eve)
  await say(eve, id, 'before')
  const close = (person: Person) => person.call('DELETE', `/api/conversations/${id}`)
  for (let times = 0; times < 2; times += 1) assert.equal(await codeOf(close(ada)), 204)
  assert.deepEqual([await idsOf(ada), await idsOf(eve)], [[], [id]])
  assert.equal((await ada.client.messages.list({ conversation: id })).length, 1)
  assert.deepEqual((await publishedOf(ada)).slice(1), ['CONVERSATION_DELETE'])
  await say(eve, id, 'after')
  assert.deepEqual(await idsOf(ada), [id])
  for (const person of [ada, eve]) await close(person)
  await say(ada, id, 'what I closed myself')
  assert.deepEqual([await idsOf(ada), await idsOf(eve)], [[id], [id]])
  await close(eve)
  assert.equal((await eve.client.conversations.create({ recipient_ids: [ada.id] })).id, id)
  assert.deepEqual(await idsOf(eve), [id])
  const cycle = ['CONVERSATION_DELETE', 'CONVERSATION_CREATE']
  assert.deepEqual(await publishedOf(ada), ['CONVERSATION_CREATE', ...cycle, ...cycle])
  assert.deepEqual(await publishedOf(eve), ['CONVERSATION_CREATE', ...cycle, ...cycle])
})

test('CONVERSATION-6: a message that was under way during the closing lists it again', async () => {
  const { id } = await makeDirect(server, ada, eve)
  await say(ada, id)
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${id} for update`)
  const said = say(ada, id)
  await lock.waitForBlocked(1)
  await eve.client.conversations.close(id)
  assert.deepEqual(await idsOf(eve), [])
  await lock.release()
  await said
  assert.deepEqual(await idsOf(eve), [id])
})
