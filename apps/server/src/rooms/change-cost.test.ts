import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { insertRooms } from '#src/spaces/queries.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const MANY_ROOMS = 500

let server: TestServer

before(async () => {
  server = await startTestServer({ rateLimits: true })
})
after(() => server.close())

test('RATE-13: moving a room among many counts by the rooms that move', async () => {
  const mover = await createPerson(server, 'mover')
  const { id: spaceId, general, rooms: made } = await makeSpace(mover)
  const rooms = Array.from({ length: MANY_ROOMS - made.length }, (_, count) => {
    const position = made.length + count
    return { id: newId(), name: `room ${position}`, type: RoomType.Text, parentId: null, position }
  })
  await insertRooms(server.deps.database, spaceId, rooms)
  const move = (position: number) =>
    mover.call('PATCH', `/api/spaces/${spaceId}/rooms/${general}`, { position })
  const [first, last] = [0, MANY_ROOMS - 1]
  assert.equal((await move(last)).status, 200)
  let count = 1
  let answer = await move(first)
  for (; answer.status === 200 && count < 60; count += 1) answer = await move(count % 2 === 0 ? first : last)
  assert.deepEqual([answer.status, answer.code, count], [429, 'rate_limited', 41])
  const { status } = await mover.call('GET', `/api/spaces/${spaceId}/rooms`)
  assert.equal(status, 200)
})
