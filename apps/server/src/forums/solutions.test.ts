import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { connectAsking, listPosts, makeForum, makePost } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let bob: Person
let mallory: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  bob = await createPerson(server, 'bob')
  mallory = await createPerson(server, 'mallory')
  space = await makeSpace(ada, [eve, bob])
})
after(() => server.close())

const codeOf = async (person: Person, method: string, path: string, body?: unknown) => {
  const { status, code } = await person.call(method, path, body)
  return code === null ? `${status}` : `${status} ${code}`
}

const solve = (person: Person, id: string, message_id: unknown) =>
  codeOf(person, 'PUT', `/api/threads/${id}/solution`, { message_id })
const unsolve = (person: Person, id: string) => codeOf(person, 'DELETE', `/api/threads/${id}/solution`)
const say = async (person: Person, id: string) =>
  (await person.client.messages.create(id, { content: 'an answer' })).id
const solutionOf = async (id: string) => (await readThread(eve, id)).solved_message_id

test('FORUM-7: the asker and those with ManageThreads choose the answer, others only their own where none is', async () => {
  const forum = await makeForum(ada, space)
  const { id } = await makePost(eve, forum.id, 'Tea')
  const [ofBob, ofAda, later] = [await say(bob, id), await say(ada, id), await say(bob, id)]
  assert.equal(await solve(bob, id, ofAda), '403 missing_permission')
  assert.equal(await solve(mallory, id, ofAda), '403 not_a_member')
  assert.equal(await unsolve(mallory, id), '403 not_a_member')
  assert.equal(await solve(bob, id, ofBob), '200')
  assert.equal(await solve(bob, id, ofBob), '200')
  assert.equal(await solve(bob, id, later), '403 missing_permission')
  assert.equal(await solutionOf(id), ofBob)
  assert.equal(await solve(eve, id, ofAda), '200')
  assert.equal(await unsolve(bob, id), '403 missing_permission')
  assert.equal(await unsolve(eve, id), '200')
  assert.equal(await solutionOf(id), null)
  assert.equal(await solve(bob, id, later), '200')
  assert.equal(await unsolve(bob, id), '200')
  assert.equal(await solve(ada, id, later), '200')
  assert.equal(await unsolve(ada, id), '200')
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'thread_update' })
  assert.deepEqual(
    [entries[0]?.before, entries[0]?.after],
    [{ solved_message_id: later }, { solved_message_id: null }],
  )
})

test('FORUM-7: an answer is a message of the post, and not its opening', async () => {
  const forum = await makeForum(ada, space)
  const [one, two] = [await makePost(eve, forum.id, 'One'), await makePost(eve, forum.id, 'Two')]
  const [opening] = await eve.client.messages.list(one.id)
  assert.equal(await solve(eve, one.id, opening?.id), '400 not_an_answer')
  assert.equal(await solve(eve, one.id, await say(eve, two.id)), '404 unknown_message')
  assert.equal(await solve(eve, one.id, newId()), '404 unknown_message')
  for (const bad of ['x', null, 7, undefined])
    assert.equal(await solve(eve, one.id, bad), '400 invalid_request')
  assert.equal(await solve(eve, newId(), newId()), '404 unknown_thread')
  const inRoom = await startThread(eve, space.general)
  assert.equal(await solve(eve, inRoom.id, await say(eve, inRoom.id)), '400 not_a_forum')
  assert.equal(await unsolve(eve, inRoom.id), '400 not_a_forum')
  assert.equal(await solutionOf(one.id), null)
})

test('FORUM-7: an answer that is deleted or moved away leaves the post without one, and THREAD_UPDATE says so', async () => {
  const forum = await makeForum(ada, space)
  const { id } = await makePost(eve, forum.id, 'Tea')
  const other = await makePost(eve, forum.id, 'Other')
  const watching = await connectAsking(server, eve, ['threads', 'forums'])
  const gone: ((message: string) => Promise<unknown>)[] = [
    (message) => bob.client.messages.delete(id, message),
    (message) => ada.call('POST', `/api/rooms/${id}/messages/bulk-delete`, { ids: [message] }),
    (message) => ada.call('POST', `/api/threads/${other.id}/move`, { message_ids: [message] }),
  ]
  for (const remove of gone) {
    const message = await say(bob, id)
    assert.equal(await solve(eve, id, message), '200')
    await remove(message)
    assert.equal(await solutionOf(id), null)
  }
  await watching.settle()
  const updates = watching.heard('THREAD_UPDATE').map(({ d }) => Object(d).solved_message_id === null)
  assert.deepEqual(updates, [false, true, false, true, false, true])
  watching.close()
  assert.deepEqual(await listPosts(eve, forum.id, '?solved=true'), [])
})

test('FORUM-7: a merged post keeps the answer of the other one', async () => {
  const forum = await makeForum(ada, space)
  const [from, into] = [await makePost(eve, forum.id, 'One'), await makePost(eve, forum.id, 'Two')]
  const [ofFrom, ofInto] = [await say(bob, from.id), await say(bob, into.id)]
  assert.equal(await solve(eve, from.id, ofFrom), '200')
  assert.equal(await solve(eve, into.id, ofInto), '200')
  assert.equal(await codeOf(ada, 'POST', `/api/threads/${from.id}/merge`, { into: into.id }), '200')
  assert.equal(await solutionOf(into.id), ofInto)
  const [listed, ...others] = await listPosts(eve, forum.id)
  assert.deepEqual([listed?.opening?.content, listed?.reply_count, others], ['Two?', 3, []])
})
