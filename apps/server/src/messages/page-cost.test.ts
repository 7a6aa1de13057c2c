import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { insertRooms } from '#src/spaces/queries.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
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

/** Fills a room with messages that make a page of four megabytes. */
async function writeLongMessages(room: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count += 1)
    await ada.client.messages.create(room, { content: 'long' })
  await server.deps.database.execute(sql`
    update messages set content = repeat('x', ${LONG_TEXT_BYTES}::integer) where channel_id = ${room}`)
}

const pathOf = (room: string) => `/api/rooms/${room}/messages`

test('RATE-14: long pages of messages count against an account’s limit per minute, short ones do not', async () => {
  const { general } = await makeSpace(ada)
  const { general: other } = await makeSpace(ada)
  await writeLongMessages(general)
  await ada.client.messages.create(other, { content: 'short' })
  for (let count = 0; count < 20; count += 1) assert.equal(await codeOf(ada.call('GET', pathOf(other))), 200)
  // Four megabytes each.
  const allowed = await countAllowed(ada, pathOf(general))
  assert.ok(allowed >= 15 && allowed <= 20, `${allowed} were answered`)
  assert.equal(await codeOf(ada.call('GET', pathOf(other))), '429 rate_limited')
})

test('RATE-20: pages that a user requests at once are read one at a time, so that those past the limit are refused', async () => {
  const eve = await createPerson(server, 'eve')
  const { general } = await makeSpace(ada, [eve])
  await writeLongMessages(general)
  const asked = Array.from({ length: 40 }, () => codeOf(eve.call('GET', pathOf(general))))
  const answers = await Promise.all(asked)
  const allowed = answers.filter((answer) => answer === 200).length
  // A slow machine refuses some for having waited for too long.
  assert.ok(allowed >= 1 && allowed <= 20, `${allowed} were answered`)
})

test('RATE-18: the bots of one owner share what pages of messages may cost, separately from the owner', async () => {
  const [owner, other] = [await createPerson(server, 'owner'), await createPerson(server, 'other')]
  const { id, general } = await makeSpace(owner, [ada])
  const bots: Person[] = []
  for (const [index, person] of [owner, owner, other].entries())
    bots.push(await createApplicationBot(server, person, { name: `Bot ${index}` }))
  for (const bot of bots) await owner.client.members.addBot(id, bot.id)
  await writeLongMessages(general)
  const [first, second, stranger] = bots
  assert.ok(first && second && stranger)
  const allowed = await countAllowed(first, pathOf(general))
  assert.ok(allowed >= 15 && allowed <= 20, `${allowed} were answered`)
  assert.equal(await codeOf(second.call('GET', pathOf(general))), '429 rate_limited')
  for (const person of [owner, stranger]) assert.equal(await codeOf(person.call('GET', pathOf(general))), 200)
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
