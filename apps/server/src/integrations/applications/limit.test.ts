import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  await fill(MAX_APPLICATIONS - 1)
})
after(() => server.close())

async function fill(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId())
  await server.deps.database.execute(sql`
    with bots as (
      insert into users (id, username, is_bot) select id, 'bot' || id, true from unnest(${ids}::uuid[]) id returning id
    )
    insert into applications (id, owner_id, name, bot_public) select id, ${ada.id}, 'Bot', false from bots`)
}

const create = async (person: Person) =>
  (await person.call('POST', '/api/applications', { name: 'One more' })).code

test('APP-4: simultaneous creations over the limit are refused', async () => {
  const lock = await holdLock(server, sql`select from users where id = ${ada.id} for no key update`)
  const attempts = [create(ada), create(ada), create(ada)]
  await lock.waitForBlocked(3)
  await lock.release()
  const codes = (await Promise.all(attempts)).toSorted()
  assert.deepEqual(codes, [null, 'too_many_applications', 'too_many_applications'].toSorted())
  assert.equal((await ada.client.applications.list()).length, MAX_APPLICATIONS)
})

test('APP-4: each owner has a separate limit, and deleting an application makes room', async () => {
  assert.equal(await create(ada), 'too_many_applications')
  assert.equal(await create(await createPerson(server, 'eve')), null)
  const [first] = await ada.client.applications.list()
  await ada.client.applications.delete(first?.id ?? '')
  assert.equal(await create(ada), null)
  assert.equal(await create(ada), 'too_many_applications')
})
