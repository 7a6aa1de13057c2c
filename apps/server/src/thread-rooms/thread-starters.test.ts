import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada, [])
})
after(() => server.close())

async function begin(roomId: string): Promise<{ starter: string; thread: string }> {
  const { id: starter } = await ada.client.messages.create(roomId, { content: 'a subject' })
  const { id } = await ada.client.api(ThreadRooms).create(roomId, { title: 'Subject', message_id: starter })
  return { starter, thread: id }
}

async function startedFrom(roomId: string, starterIds: string[]): Promise<string[]> {
  const page = await ada.client.api(ThreadRooms).list(roomId, { starter_id: starterIds, limit: 1 })
  assert.equal(page.next, null)
  return page.threads.map(({ id }) => id)
}

test('TROOM-16: the threads that began from some messages are on one page, closed ones included', async () => {
  const other = await ada.client.rooms.create(space.id, { name: 'other', type: RoomType.Text })
  const [one, two, elsewhere] = [
    await begin(space.general),
    await begin(space.general),
    await begin(other.id),
  ]
  await ada.client.api(ThreadRooms).update(one.thread, { is_closed: true })
  const { id: plain } = await ada.client.messages.create(space.general, { content: 'begins nothing' })
  const asked = [one.starter, two.starter, elsewhere.starter, plain, newId()]
  assert.deepEqual(await startedFrom(space.general, asked), [two.thread, one.thread])
  assert.deepEqual(await startedFrom(space.general, [one.starter, one.starter]), [one.thread])
  assert.deepEqual(await startedFrom(other.id, [elsewhere.starter]), [elsewhere.thread])
  await ada.client.messages.delete(space.general, two.starter)
  assert.deepEqual(await startedFrom(space.general, [two.starter]), [two.thread])
})

test('TROOM-5: outsiders learn of no thread by its message, and unfit ids are refused', async () => {
  const { starter } = await begin(space.general)
  const path = `/api/rooms/${space.general}/threads?starter_id=`
  const stranger = await createPerson(server, 'stranger')
  assert.equal(
    await codeOf(stranger.call('GET', `${path}${starter}`)),
    await codeOf(stranger.call('GET', `/api/rooms/${space.general}/threads`)),
  )
  assert.equal((await stranger.call('GET', `${path}${starter}`)).status, 403)
  assert.equal((await ada.call('GET', `${path}x`)).status, 400)
  assert.equal((await ada.call('GET', path)).status, 400)
  const many = Array.from({ length: 101 }, () => `starter_id=${newId()}`).join('&')
  assert.equal((await ada.call('GET', `/api/rooms/${space.general}/threads?${many}`)).status, 400)
})
