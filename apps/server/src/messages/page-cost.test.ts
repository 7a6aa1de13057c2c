import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { insertRooms } from '#src/spaces/queries.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const LONG_TEXT_BYTES = 400_000
const MESSAGES = 10
const MANY_ROOMS = 20_000

let server: TestServer
let ada: Person

before(async () => {
  server = await startTestServer({ rateLimits: true })
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Counts the requests answered before the first refusal. */
async function countAllowed(person: Person, path: string): Promise<number> {
  for (let count = 0; count < 60; count += 1) {
    const answer = await codeOf(person.call('GET', path))
    if (answer !== 200) {
      assert.equal(answer, '429 rate_limited')
      return count
    }
  }
  return 60
}

test('RATE-14: long pages of messages count against an account’s limit per minute, short ones do not', async () => {
  const { general } = await makeSpace(ada)
  const { general: other } = await makeSpace(ada)
  for (let count = 0; count < MESSAGES; count += 1)
    await ada.client.messages.create(general, { content: 'long' })
  await server.deps.database.execute(sql`
    update messages set content = repeat('x', ${LONG_TEXT_BYTES}::integer) where channel_id = ${general}`)
  await ada.client.messages.create(other, { content: 'short' })
  const pathOf = (room: string) => `/api/rooms/${room}/messages`
  for (let count = 0; count < 20; count += 1) assert.equal(await codeOf(ada.call('GET', pathOf(other))), 200)
  // Four megabytes each.
  const allowed = await countAllowed(ada, pathOf(general))
  assert.ok(allowed >= 15 && allowed <= 20, `${allowed} were answered`)
  assert.equal(await codeOf(ada.call('GET', pathOf(other))), '429 rate_limited')
})

test('INBOX-8: a list of mentions counts by the rooms and conversations that it looks at', async () => {
  const ida = await createPerson(server, 'ida')
  const { id } = await makeSpace(ida)
  const rooms = Array.from({ length: MANY_ROOMS }, (_, position) => {
    return { id: newId(), name: 'room', type: RoomType.Text, parentId: null, position: position + 4 }
  })
  await insertRooms(server.deps.database, id, rooms)
  await ida.client.spaces.update(id, { name: 'large' })
  assert.equal(await countAllowed(ida, '/api/users/@me/mentions'), 400_000 / MANY_ROOMS)
})
