import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Message, MessageType, type ReadState } from '@foyer/protocol/messages'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { enterCall, leaveCall } from '#test/scenes/calls.ts'
import { makeDirect, makeGroup, say } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { callJobs } from './jobs.ts'

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let id: string

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())
beforeEach(async () => {
  id = (await makeGroup(server, ada, [ben, eve])).id
})

const enter = (person: Person) => enterCall(server, person, id)
const leave = (person: Person) => leaveCall(server, person, id)

/** Waits for the jobs. Returns the messages about calls, oldest first. */
async function records(reader = ada): Promise<Message[]> {
  await until(hasNoJobs, 'all jobs are done')
  const messages = await reader.client.messages.list({ conversation: id })
  return messages.filter(({ type }) => type === MessageType.Call).reverse()
}

async function hasNoJobs(): Promise<boolean> {
  const jobs = await server.deps.database.query(sql`
    select id from graphile_worker.jobs where task_identifier in ('post_call', 'sweep_conversation')`)
  return jobs.length === 0
}

async function readState(person: Person): Promise<Pick<ReadState, 'last_read_seq' | 'unread_count'>> {
  const { body } = await person.call('GET', `/api/conversations/${id}/read-state`)
  const { last_read_seq, unread_count } = Object(body)
  return { last_read_seq, unread_count }
}

const published = async () => (await listJournal(server, topicOf.conversation(id))).map(({ name }) => name)

test('CALL-5: the last user to leave ends the call, and one message says who was part of it, and when', async () => {
  await say(eve, id)
  await enter(ben)
  await enter(ada)
  await leave(ben)
  await enter(ben)
  await leave(ada)
  assert.deepEqual([await records(), (await published()).includes('CALL_DELETE')], [[], false])
  await leave(ben)
  const [record, ...more] = await records()
  assert.ok(record)
  assert.deepEqual(more, [])
  const { type, seq, author, content, call, conversation_id } = record
  assert.deepEqual([type, seq, author.id, content, conversation_id], [3, 2, ben.id, '', id])
  assert.deepEqual(call?.participant_ids, [ben.id, ada.id])
  assert.ok(Date.parse(call.started_at) <= Date.parse(call.ended_at))
  assert.deepEqual((await published()).slice(-2), ['CALL_DELETE', 'MESSAGE_CREATE'])
  const journal = await listJournal(server, topicOf.conversation(id))
  assert.deepEqual(journal.at(-1)?.data, record)
  assert.equal(await codeOf(ben.call('GET', `/api/conversations/${id}/messages/${record.id}`)), 200)
  await enter(ada)
  await leave(ada)
  assert.deepEqual(
    (await records()).map(({ call }) => call?.participant_ids),
    [[ben.id, ada.id], [ada.id]],
  )
})

test('CALL-5: one of two users who leave at once is the last', async () => {
  await enter(ada)
  await enter(ben)
  const lock = await holdLock(server, sql`select from calls where tenant_id = ${id} for update`)
  const both = Promise.all([leave(ada), leave(ben)])
  await lock.waitForBlocked(2)
  await lock.release()
  await both
  assert.equal((await records()).length, 1)
  assert.equal((await published()).filter((name) => name === 'CALL_DELETE').length, 1)
})

test('CALL-5: a user who joins while the last one leaves is in a call, this one or the next', async () => {
  await enter(ada)
  const lock = await holdLock(server, sql`select from calls where tenant_id = ${id} for update`)
  const both = Promise.all([leave(ada), enter(ben)])
  await lock.waitForBlocked(2)
  await lock.release()
  await both
  const calls = await server.deps.database.query(sql`select from calls where tenant_id = ${id}`)
  assert.equal(calls.length, 1)
  await leave(ben)
  // Two calls are listed in any order.
  const parts = (await records()).flatMap(({ call }) => call?.participant_ids ?? [])
  assert.deepEqual(parts.toSorted(), [ada.id, ben.id].toSorted())
})

test('CALL-5: a job that runs twice, or after its message was deleted, writes no second message', async () => {
  const handler = callJobs(server.deps).handlers.post_call
  assert.ok(handler)
  const at = new Date().toISOString()
  const call = { initiator_id: ada.id, started_at: at, ended_at: at, participant_ids: [ada.id, ben.id] }
  const job = { ...call, conversation_id: id, nonce: newId() }
  await Promise.all([handler(job), handler(job)])
  await handler(job)
  const [record, ...more] = await records()
  assert.deepEqual([record?.author.id, more], [ada.id, []])
  await ada.client.messages.delete({ conversation: id }, record?.id ?? '')
  await handler(job)
  assert.deepEqual(await records(), [])
})

test('CALL-6: the message is unread for users who missed the call, and read for participants who had read everything before it', async () => {
  await say(ada, id)
  await say(ada, id)
  const newest = await say(ada, id)
  await codeOf(ben.call('POST', `/api/conversations/${id}/messages/${newest}/ack`))
  await enter(ada)
  await enter(ben)
  await leave(ada)
  await leave(ben)
  await records()
  assert.deepEqual(await readState(ben), { last_read_seq: 4, unread_count: 0 })
  assert.deepEqual(await readState(eve), { last_read_seq: 0, unread_count: 4 })
  assert.equal((await readState(ada)).unread_count, 0)
  const acks = (await listJournal(server, topicOf.user(ben.id))).filter(({ name }) => name === 'MESSAGE_ACK')
  const here = acks.map(({ data }) => Object(data)).filter((ack) => ack.conversation_id === id)
  assert.deepEqual(
    here.map(({ last_read_seq }) => last_read_seq),
    [3, 4],
  )
})

test('CALL-6: earlier unread messages stay unread for participants', async () => {
  await say(ada, id)
  await enter(ada)
  await enter(ben)
  await leave(ben)
  await leave(ada)
  await records()
  assert.deepEqual(await readState(ben), { last_read_seq: 0, unread_count: 2 })
})

test('CALL-6: the message cannot be edited, pinned or forwarded, and its author can delete it', async () => {
  await enter(ada)
  await leave(ada)
  const [record] = await records()
  const path = `/api/conversations/${id}/messages`
  const reference = { type: 1, message_id: record?.id, conversation_id: id }
  assert.deepEqual(
    await Promise.all([
      codeOf(ada.call('PATCH', `${path}/${record?.id}`, { content: 'never called' })),
      codeOf(ada.call('PUT', `/api/conversations/${id}/pins/${record?.id}`)),
      codeOf(ada.call('POST', path, { reference })),
      codeOf(ben.call('DELETE', `${path}/${record?.id}`)),
    ]),
    ['400 not_editable', '400 not_pinnable', '400 not_forwardable', '403 missing_permission'],
  )
  assert.equal(await codeOf(ada.call('DELETE', `${path}/${record?.id}`)), 204)
})

test('CALL-5: a user who closed the conversation during the call gets it listed again with the message', async () => {
  const { id: direct } = await makeDirect(server, ada, eve)
  id = direct
  await enter(ada)
  await eve.client.conversations.close(id)
  await leave(ada)
  assert.equal((await records(eve)).length, 1)
  const listed = await eve.client.conversations.list()
  assert.ok(listed.some((conversation) => conversation.id === id))
})

test('CALL-9: an answered call waits for users whose server was lost, and then ends; an unanswered one does not wait', async () => {
  const end = callJobs(server.deps).handlers.end_call
  assert.ok(end)
  await enter(ada)
  await leaveCall(server, ada, id, true)
  assert.equal((await records()).length, 1)
  await enter(ada)
  await enter(ben)
  for (const person of [ada, ben]) await leaveCall(server, person, id, true)
  await enter(ben)
  await end({ conversation_id: id })
  assert.equal((await records()).length, 1)
  await leaveCall(server, ben, id, true)
  assert.deepEqual((await published()).slice(-1), ['CALL_UPDATE'])
  await end({ conversation_id: id })
  await end({ conversation_id: id })
  assert.deepEqual((await records()).at(-1)?.call?.participant_ids, [ada.id, ben.id])
  assert.equal((await published()).filter((name) => name === 'CALL_CREATE').length, 2)
})

test('CALL-8: the end of the conversation ends its call, without a message', async () => {
  await enter(ada)
  for (const person of [ada, ben, eve]) await person.client.conversations.close(id)
  const calls = await server.deps.database.query(sql`select from calls where tenant_id = ${id}`)
  assert.deepEqual(calls, [])
  await leave(ada)
  await assert.rejects(enter(ada), { code: 'unknown_conversation' })
  await until(hasNoJobs, 'all jobs are done')
  const left = await server.deps.database.query(sql`select id from messages where tenant_id = ${id}`)
  assert.deepEqual(left, [])
})

test('CALL-1: a user who has left the group starts no call', async () => {
  await ben.client.conversations.close(id)
  await assert.rejects(enter(ben), { code: 'unknown_conversation' })
  const calls = await server.deps.database.query(sql`select from calls where tenant_id = ${id}`)
  assert.deepEqual(calls, [])
})
