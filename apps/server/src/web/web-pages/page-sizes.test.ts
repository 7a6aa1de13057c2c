import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import { RoomType } from '@foyer/protocol/rooms'
import { Administration } from '@foyer/sdk/api/administration'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { firstIdAt } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { monthOf } from './making/paths.ts'

const MAX_BYTES = 30_000
/** Three bytes in UTF-8, and nine in an address. */
const LETTER = '語'

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).updatePublicPages({ public_pages: true })
  space = await makeSpace(owner)
  await owner.client.spaces.update(space.id, { name: LETTER.repeat(32), description: LETTER.repeat(200) })
  await owner.client.api(WebRooms).open(space.general)
})
after(() => server.close())

/** Follows the pages that lead to each other, checks the size of each, and returns the matches in all. */
async function readPages(first: string, next: RegExp, wanted: RegExp): Promise<string[]> {
  const found: string[] = []
  let path: string | undefined = first
  let count = 0
  while (path !== undefined) {
    const answer: Response = await fetch(new URL(path, server.url))
    const text = await answer.text()
    const bytes = Buffer.byteLength(text)
    assert.ok(bytes <= MAX_BYTES, `${path} has ${bytes} bytes`)
    found.push(...[...text.matchAll(wanted)].map(([, id = '']) => id))
    path = next.exec(text)?.[1]
    count += 1
  }
  assert.ok(count > 1, `everything is on ${first}`)
  return found
}

const toLater = /<link rel="next" href="([^"]+)"/
const toEarlier = /<link rel="prev" href="([^"]+)"/

test('WEBPAGE-7: pages with long names in any script are at most 30 kB: rooms', async () => {
  const rooms = [space.general]
  for (let index = 0; index < 60; index += 1) {
    const room = await owner.client.rooms.create(space.id, {
      name: `${index}${LETTER.repeat(28)}`,
      type: RoomType.Text,
    })
    await owner.client.rooms.update(space.id, room.id, { description: LETTER.repeat(1000) })
    await owner.client.api(WebRooms).open(room.id)
    rooms.push(room.id)
  }
  const link = new RegExp(`<li><a href="/read/${space.id}/([0-9a-f-]{36})`, 'g')
  const seen = await readPages(`/read/${space.id}`, toLater, link)
  assert.deepEqual(seen.toSorted(), rooms.toSorted())
  const madeUp = await fetch(new URL(`/read/${space.id}?after=${space.id}`, server.url))
  assert.equal(new URL(madeUp.url).search, '')
})

test('WEBPAGE-7: pages with long names in any script are at most 30 kB: threads', async () => {
  const threads: string[] = []
  for (let index = 0; index < 60; index += 1) {
    const title = `${index}${LETTER.repeat(MAX_THREAD_TITLE_CHARACTERS - 2)}`
    threads.push((await owner.client.api(ThreadRooms).create(space.general, { title, content: 'x' })).id)
  }
  const path = `/read/${space.id}/${space.general}`
  const seen = await readPages(path, toEarlier, /\/t\/([0-9a-f-]{36})[^"]*">/g)
  assert.deepEqual(seen, threads.toReversed())
})

test('WEBPAGE-7: pages with long names in any script are at most 30 kB: messages', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `${index}${LETTER.repeat(1900)}`)
  for (const content of texts) await owner.client.messages.create(space.general, { content })
  const path = `/read/${space.id}/${space.general}/${monthOf(Date.now())}`
  const seen = await readPages(path, toLater, new RegExp(`<p>(\\d+)${LETTER}`, 'g'))
  assert.deepEqual(
    seen,
    texts.map((text) => text.replaceAll(LETTER, '')),
  )
})

test('WEBPAGE-7: the months of a room that is twenty years old are on pages of at most 30 kB', async () => {
  const { database } = server.deps
  const room = await owner.client.rooms.create(space.id, { name: LETTER.repeat(32), type: RoomType.Text })
  await owner.client.api(WebRooms).open(room.id)
  const months = Array.from({ length: 200 }, (_, index) => new Date(Date.UTC(2006, index, 15)))
  for (const [index, created] of months.entries())
    await database.execute(sql`
      insert into messages (tenant_id, channel_id, id, seq, author_id, type, content, created_at)
      values (${space.id}, ${room.id}, ${firstIdAt(created.getTime())}, ${index + 1000}, ${owner.id}, 0::smallint, 'then', ${created})`)
  await database.execute(sql`update web_rooms set since = '2000-01-01' where room_id = ${room.id}`)
  // The rooms of the space are loaded again.
  await owner.client.rooms.update(space.id, room.id, { description: 'old' })
  const more = /<li><a href="([^"]*\?months=[^"]+)"/
  const seen = await readPages(`/read/${space.id}/${room.id}`, more, /\/(\d{4}-\d\d)">/g)
  assert.deepEqual(seen, months.map((month) => monthOf(month.getTime())).toReversed())
})

test('WEBPAGE-12: a page is made of up to 50 messages, readable or not', async () => {
  const { id } = await owner.client.rooms.create(space.id, { name: 'short', type: RoomType.Text })
  await owner.client.api(WebRooms).open(id)
  for (let index = 0; index < 51; index += 1) await owner.client.messages.create(id, { content: 'x' })
  const answer = await fetch(new URL(`/read/${space.id}/${id}/${monthOf(Date.now())}`, server.url))
  // The notice that the room is on the web is the first of the 50, and not shown.
  assert.equal((await answer.text()).match(/<article/g)?.length, 49)
})
