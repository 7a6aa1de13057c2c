import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@foyer/sdk/client'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { signIn } from '#test/scenes/accounts.ts'
import { acquaint, makeDirect, makeGroup, say } from '#test/scenes/conversations.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { conversationJobs } from './jobs.ts'

const MAX_WAIT_MS = 20_000
const POLL_INTERVAL_MS = 50
const TEA = encodeURIComponent('🍵')

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
})

/** Lists all tables with a column for a channel or conversation, so that future ones are covered, too. */
async function listTables(): Promise<{ name: string; column: string }[]> {
  return server.deps.database.query(sql`
    select relname as name, attname::text as column
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
      and attname in ('channel_id', 'conversation_id') and relname <> 'attachments'
    order by relname, attname`)
}

/** Counts the conversation's rows by table. */
async function rowsOf(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, column } of await listTables()) {
    const text = `select count(*) as count from ${name} where ${column} = $1`
    const query: Query = { name: '', text, values: [id] }
    const [row] = await server.deps.database.query<{ count: number }>(query)
    if (row !== undefined && row.count > 0) counts[name] = row.count
  }
  return counts
}

async function awaitEnd(id: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  const isOver = async () =>
    Object.keys(await rowsOf(id)).length + (await listHoldings(server, id)).ids.length === 0
  while (!(await isOver()) && Date.now() < deadline) await delay(POLL_INTERVAL_MS)
  assert.deepEqual([await rowsOf(id), (await listHoldings(server, id)).ids], [{}, []])
}

/** Makes a group with every kind of content. */
async function makeLively(): Promise<string> {
  const { id } = await makeGroup(server, ada, [eve, kim])
  const conversation = { conversation: id }
  const path = `/api/conversations/${id}/messages`
  const { id: messageId } = await ada.client.messages.createWithFiles(
    conversation,
    { content: `<@${eve.id}> tea?`, nonce: 'n' },
    [note('x')],
  )
  await eve.call('PUT', `${path}/${messageId}/reactions/${TEA}`)
  await eve.call('PUT', `/api/conversations/${id}/pins/${messageId}`)
  await kim.client.messages.ack(conversation, messageId)
  await ada.client.conversations.update(id, { icon: await png() })
  await ada.client.attachments.create(conversation, {
    filename: 'a',
    size_bytes: 1,
    content_type: 'text/plain',
  })
  return id
}

test('CONVERSATION-13: a group ends with its last member, with everything in it, and nothing of others is deleted', async () => {
  const [ending, staying] = [await makeLively(), await makeLively()]
  const before = await rowsOf(staying)
  for (const table of [
    'messages',
    'message_nonces',
    'mentions',
    'reactions',
    'reaction_counts',
    'pins',
    'read_states',
  ])
    assert.ok(table in before, table)
  for (const person of [ada, eve, kim]) await person.client.conversations.close(ending)
  assert.equal(await codeOf(ada.call('GET', `/api/conversations/${ending}`)), '404 unknown_conversation')
  await awaitEnd(ending)
  assert.equal((await listHoldings(server, staying)).ids.length, 3)
  const [first] = (await ada.client.messages.list({ conversation: staying })).slice(-1)
  assert.equal(first?.attachments.length, 1)
  await conversationJobs(server.deps).handlers.sweep_conversation?.({ conversation_id: ending })
  await awaitEnd(ending)
})

test('CONVERSATION-13: several runs delete more than one run can', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  await server.deps.database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${id}, ${id}, gen_random_uuid(), n, ${ada.id}, 'hi', now() from generate_series(1, 6000) n`)
  for (const person of [ada, eve, kim]) await person.client.conversations.close(id)
  await awaitEnd(id)
})

test('CONVERSATION-13: a message under way when the last member leaves is not stored', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  for (const person of [eve, kim]) await person.client.conversations.close(id)
  const lock = await holdLock(server, sql`select from message_heads where channel_id = ${id} for update`)
  const left = ada.client.conversations.close(id)
  await lock.waitForBlocked(1)
  const said = codeOf(ada.call('POST', `/api/conversations/${id}/messages`, { content: 'late' }))
  await lock.waitForBlocked(2)
  await lock.release()
  await left
  assert.equal(await said, '404 unknown_conversation')
  await awaitEnd(id)
})

test('CONVERSATION-16: a deleted account leaves its groups, and its direct messages stay', async () => {
  const tokens = await signIn(server, `leaver${count}`)
  const client = new Client({ baseUrl: server.url, tokens })
  const leaver: Person = { ...ada, id: tokens.user.id, client }
  const [owned, other] = [
    await makeGroup(server, leaver, [eve, kim]),
    await makeGroup(server, eve, [leaver, kim]),
  ]
  const direct = await makeDirect(server, leaver, eve)
  for (const { id } of [owned, other, direct]) await say(leaver, id, 'so long')
  await client.users.deleteMe({ password: TEST_PASSWORD })
  for (const { id } of [owned, other]) {
    const { owner_id, recipients } = await eve.client.conversations.get(id)
    assert.deepEqual(recipients.map((user) => user.id).toSorted(), [eve.id, kim.id].toSorted())
    assert.ok([eve.id, kim.id].includes(owner_id ?? ''))
    const heard = (await listJournal(server, topicOf.conversation(id))).map(({ name }) => name)
    const told = ['MESSAGE_CREATE', 'USER_UPDATE', 'CONVERSATION_MEMBER_REMOVE']
    assert.deepEqual(heard, id === owned.id ? [...told, 'CONVERSATION_UPDATE'] : told)
  }
  const shown = await eve.client.conversations.get(direct.id)
  assert.match(shown.recipients.find(({ id }) => id === leaver.id)?.username ?? '', /^deleted_/)
  const [message] = await eve.client.messages.list({ conversation: direct.id })
  assert.deepEqual([message?.content, message?.author.id], ['so long', leaver.id])
  assert.deepEqual(
    (await listJournal(server, topicOf.conversation(direct.id))).map(({ name }) => name),
    ['MESSAGE_CREATE', 'USER_UPDATE'],
  )
})

test('CONVERSATION-16: a direct conversation ends when its second account is deleted', async () => {
  const leavers: Person[] = []
  for (const name of ['one', 'other']) {
    const tokens = await signIn(server, `${name}${count}`)
    leavers.push({ ...ada, id: tokens.user.id, client: new Client({ baseUrl: server.url, tokens }) })
  }
  const [one = ada, other = eve] = leavers
  const [{ id }, kept] = [await makeDirect(server, one, other), await makeDirect(server, one, eve)]
  await one.client.messages.createWithFiles({ conversation: id }, { content: 'between us' }, [note('x')])
  await say(one, kept.id)
  await one.client.users.deleteMe({ password: TEST_PASSWORD })
  assert.equal((await other.client.messages.list({ conversation: id })).length, 1)
  await other.client.users.deleteMe({ password: TEST_PASSWORD })
  await awaitEnd(id)
  assert.equal((await eve.client.messages.list({ conversation: kept.id })).length, 1)
})

test('CONVERSATION-7: nobody can write to a deleted account from its deletion on', async () => {
  const tokens = await signIn(server, `leaver${count}`)
  const leaver: Person = { ...ada, id: tokens.user.id, client: new Client({ baseUrl: server.url, tokens }) }
  const { id } = await makeDirect(server, leaver, eve)
  const write = () => codeOf(eve.call('POST', `/api/conversations/${id}/messages`, { content: 'hello?' }))
  assert.equal(await write(), 200)
  await leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  assert.equal(await write(), '403 blocked_conversation')
  assert.equal((await eve.client.messages.list({ conversation: id })).length, 1)
  const again = codeOf(eve.call('POST', '/api/conversations', { recipient_ids: [leaver.id] }))
  assert.equal(await again, '404 unknown_user')
})

test('CONVERSATION-16: an account added to a group during its deletion leaves that, too', async () => {
  const tokens = await signIn(server, `leaver${count}`)
  const leaver: Person = { ...ada, id: tokens.user.id, client: new Client({ baseUrl: server.url, tokens }) }
  const { id } = await makeGroup(server, ada, [eve, kim])
  await acquaint(server, [ada, leaver])
  const lock = await holdLock(server, sql`select from users where id = ${leaver.id} for no key update`)
  const added = ada.client.conversations.addMember(id, leaver.id)
  await lock.waitForBlocked(1)
  const deleted = leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  await lock.waitForBlocked(2)
  await lock.release()
  await Promise.all([added, deleted])
  const { recipients } = await ada.client.conversations.get(id)
  assert.deepEqual(recipients.map((user) => user.id).toSorted(), [ada.id, eve.id, kim.id].toSorted())
})

test('CONVERSATION-16: a user’s changes of their profile reach their conversations', async () => {
  const { id } = await makeGroup(server, ada, [eve, kim])
  const direct = await makeDirect(server, ada, eve)
  await ada.client.users.updateMe({ alias: 'Ada', phone: '+491234567' })
  const user = await eve.client.users.get(ada.id)
  for (const conversationId of [id, direct.id]) {
    const [heard] = await listJournal(server, topicOf.conversation(conversationId))
    assert.deepEqual([heard?.name, heard?.data], ['USER_UPDATE', user])
  }
})

test('CONVERSATION-13: no files are left except those that something shows', () => checkFilesAtRest(server))
