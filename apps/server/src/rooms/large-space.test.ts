import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let other: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  other = await createPerson(server, 'other')
  space = await makeSpace(owner)
})
after(() => server.close())

const move = (roomId: string, position: number) =>
  owner.call('PATCH', `/api/spaces/${space.id}/rooms/${roomId}`, { position })

test('DATA-18: waiting changes of one space do not delay messages and changes of other spaces', async () => {
  const elsewhere = await makeSpace(other)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  let answered = 0
  const changes = Array.from({ length: 12 }, async (_, count) => {
    const { status } = await move(space.general, count % 4)
    answered += 1
    return status
  })
  await lock.waitForBlocked(changes.length)
  const { id } = await other.client.messages.create(elsewhere.general, { content: 'hello' })
  await other.client.reactions.add({ channel: elsewhere.general, id }, '👋')
  await other.client.rooms.update(elsewhere.id, elsewhere.general, { name: 'changed' })
  assert.equal(answered, 0)
  await lock.release()
  assert.deepEqual(new Set(await Promise.all(changes)), new Set([200]))
})
