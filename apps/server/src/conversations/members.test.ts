import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Conversation } from '@foyer/protocol/conversations'
import { MAX_GROUP_MEMBERS, MAX_GROUPS } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { acquaint, makeGroup, say } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let ben: Person
let group: Conversation
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
  ben = await createPerson(server, `ben${count}`)
  group = await makeGroup(server, ada, [eve, kim])
})

const member = (method: string, by: Person, { id }: { id: string }) =>
  codeOf(by.call(method, `/api/conversations/${group.id}/members/${id}`))
const add = (by: Person, other: { id: string }) => member('PUT', by, other)
const remove = (by: Person, other: { id: string }) => member('DELETE', by, other)

async function membersOf(person: Person): Promise<string[]> {
  const { recipients } = await person.client.conversations.get(group.id)
  return recipients.map(({ id }) => id).toSorted()
}

async function published(topic: Topic = topicOf.conversation(group.id)) {
  const entries = await listJournal(server, topic)
  return entries
    .filter(({ name }) => name.startsWith('CONVERSATION'))
    .map(({ name, data }) => ({ name, data }))
}

function holdGroup(): Promise<HeldLock> {
  return holdLock(server, sql`select from conversations where id = ${group.id} for no key update`)
}

/** Makes the users members of `groups` other groups. */
async function fillGroups(users: readonly { id: string }[], groups: number): Promise<void> {
  const ids = users.map(({ id }) => id)
  await server.deps.database.execute(sql`
    with made as (
      insert into conversations (id, type) select gen_random_uuid(), 2 from generate_series(1, ${groups}::integer)
      returning id
    )
    insert into conversation_members (conversation_id, user_id)
    select id, user_id from made, unnest(${ids}::uuid[]) as added (user_id)`)
}

test('CONVERSATION-11: everyone in a group adds their friends, and existing members stay', async () => {
  await acquaint(server, [eve, ben])
  assert.equal(await add(eve, ben), 204)
  const grown = await ben.client.conversations.get(group.id)
  assert.deepEqual(await membersOf(ada), [ada, eve, kim, ben].map(({ id }) => id).toSorted())
  const user = await ben.client.users.get(ben.id)
  const added = { name: 'CONVERSATION_MEMBER_ADD', data: { conversation_id: group.id, user } }
  assert.deepEqual(await published(), [added])
  assert.deepEqual(await published(topicOf.user(ben.id)), [{ name: 'CONVERSATION_CREATE', data: grown }])
  for (const other of [ben, ada, eve]) assert.equal(await add(eve, other), 204)
  assert.deepEqual([await published(), await membersOf(ben)], [[added], await membersOf(ada)])
})

test('CONVERSATION-11: messages from before a member was added count as read', async () => {
  await acquaint(server, [ada, ben])
  await say(ada, group.id)
  await add(ada, ben)
  await say(ada, group.id)
  const state = await ben.call('GET', `/api/conversations/${group.id}/read-state`)
  const { last_read_seq, unread_count } = Object(state.body)
  assert.deepEqual([last_read_seq, unread_count], [1, 1])
})

test('CONVERSATION-11: strangers, users with a block in either direction, and unknown users cannot be added', async () => {
  assert.equal(await add(ada, ben), '403 cannot_converse')
  await acquaint(server, [ada, ben])
  await ben.client.friends.block(ada.id)
  assert.equal(await add(ada, ben), '403 cannot_converse')
  assert.equal(await add(ada, { id: newId() }), '404 unknown_user')
  assert.equal(await add(ada, { id: 'x' }), '400 invalid_request')
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${ben.id}`)
  assert.equal(await add(ada, ben), '404 unknown_user')
  assert.equal(await add(ben, ada), '404 unknown_conversation')
  assert.deepEqual([await published(), await published(topicOf.user(ben.id))], [[], []])
})

test('CONVERSATION-11: a group takes ten people, however many are added at once', async () => {
  const others = await Promise.all(
    Array.from({ length: MAX_GROUP_MEMBERS - 1 }, (_, index) => createPerson(server, `o${count}_${index}`)),
  )
  await acquaint(server, [ada, ...others])
  for (const other of others.slice(0, -4)) assert.equal(await add(ada, other), 204)
  const lock = await holdGroup()
  const answers = others.slice(-4).map((other) => add(ada, other))
  await lock.waitForBlocked(4)
  await lock.release()
  const codes = (await Promise.all(answers)).toSorted()
  assert.deepEqual(codes, [204, 204, '400 too_many_group_members', '400 too_many_group_members'])
  assert.equal((await membersOf(ada)).length, MAX_GROUP_MEMBERS)
})

test('CONVERSATION-11: nobody is in more than a hundred groups, however many are joined at once', async () => {
  await acquaint(server, [ada, eve, ben])
  await fillGroups([ben], MAX_GROUPS - 1)
  const others = await Promise.all([1, 2].map(() => makeGroup(server, ada, [eve, kim])))
  const lock = await holdLock(server, sql`select from users where id = ${ben.id} for no key update`)
  const answers = [group, ...others].map(({ id }) =>
    codeOf(ada.call('PUT', `/api/conversations/${id}/members/${ben.id}`)),
  )
  const made = codeOf(eve.call('POST', '/api/conversations', { recipient_ids: [ada.id, ben.id] }))
  await lock.waitForBlocked(4)
  await lock.release()
  const codes = (await Promise.all([...answers, made])).filter((code) => code !== '400 too_many_groups')
  assert.equal(codes.length, 1)
  const own = codeOf(ben.call('POST', '/api/conversations', { recipient_ids: [ada.id, eve.id] }))
  assert.equal(await own, '400 too_many_groups')
})

test('CONVERSATION-12: everyone may leave, by either path, and the owner may remove anyone', async () => {
  assert.equal(await remove(eve, kim), '403 group_owner_only')
  assert.equal(await remove(eve, ada), '403 group_owner_only')
  assert.equal(await remove(ada, ben), '404 unknown_member')
  assert.equal(await remove(ben, eve), '404 unknown_conversation')
  assert.deepEqual(await published(), [])
  assert.equal(await remove(ada, eve), 204)
  await kim.client.conversations.close(group.id)
  const gone = (user: Person) => ({
    name: 'CONVERSATION_MEMBER_REMOVE',
    data: { conversation_id: group.id, user_id: user.id },
  })
  assert.deepEqual(await published(), [gone(eve), gone(kim)])
  for (const person of [eve, kim]) {
    const last = (await published(topicOf.user(person.id))).at(-1)
    assert.deepEqual(last, { name: 'CONVERSATION_DELETE', data: { conversation_id: group.id } })
    assert.deepEqual(await person.client.conversations.list(), [])
  }
  assert.deepEqual(await membersOf(ada), [ada.id])
  await say(ada, group.id, 'alone')
})

test('CONVERSATION-12: the longest member becomes the owner when the owner leaves', async () => {
  await acquaint(server, [ada, ben])
  const longest = group.recipients.find(({ id }) => id !== ada.id)?.id
  await add(ada, ben)
  assert.equal(await remove(ada, ada), 204)
  const left = await ben.client.conversations.get(group.id)
  assert.equal(left.owner_id, longest)
  assert.deepEqual((await published()).slice(-1), [{ name: 'CONVERSATION_UPDATE', data: left }])
  for (const person of [eve, kim]) await person.client.conversations.close(group.id)
  assert.equal((await ben.client.conversations.get(group.id)).owner_id, ben.id)
})

test('CONVERSATION-12: a successor who leaves together with the owner does not become the owner', async () => {
  await acquaint(server, [ada, ben])
  await add(ada, ben)
  const lock = await holdGroup()
  const leaving = [ada, eve, kim].map((person) => person.client.conversations.close(group.id))
  await lock.waitForBlocked(3)
  await lock.release()
  await Promise.all(leaving)
  assert.deepEqual(
    [(await ben.client.conversations.get(group.id)).owner_id, await membersOf(ben)],
    [ben.id, [ben.id]],
  )
})

test('CONVERSATION-12: a user who was removed gets 404, also for removing or adding at the same moment', async () => {
  await acquaint(server, [eve, ben])
  const lock = await holdGroup()
  const answers = [remove(ada, eve)]
  await lock.waitForBlocked(1)
  answers.push(remove(ada, eve))
  await lock.waitForBlocked(2)
  answers.push(add(eve, ben))
  await lock.waitForBlocked(3)
  await lock.release()
  assert.deepEqual(await Promise.all(answers), [204, '404 unknown_member', '404 unknown_conversation'])
})
