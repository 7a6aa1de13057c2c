import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listMentions } from './reading.ts'

let server: TestServer
let ada: Person
let people = 0

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Creates a person without mentions. */
function newPerson(): Promise<Person> {
  people += 1
  return createPerson(server, `person${people}`)
}

async function say(person: Person, roomId: string, content: string): Promise<string> {
  const { id } = await person.client.messages.create(roomId, { content })
  return id
}

async function listed(person: Person): Promise<string[]> {
  const { messages } = await person.client.mentions.list()
  return messages.map(({ id }) => id)
}

test('INBOX-2: rooms hidden by default are listed only where an overwrite shows them', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  const [shown, bare] = [
    await ada.client.rooms.create(space.id, { name: 'shown', type: RoomType.Text }),
    await ada.client.rooms.create(space.id, { name: 'bare', type: RoomType.Text }),
  ]
  const everyone = (await ada.client.roles.list(space.id)).find(({ id }) => id === space.id)
  assert.ok(everyone)
  const inShown = await say(ada, shown.id, `<@${eve.id}>`)
  const inBare = await say(ada, bare.id, `<@${eve.id}>`)
  assert.deepEqual(await listed(eve), [inBare, inShown])
  await ada.client.roles.update(space.id, space.id, {
    permissions: everyone.permissions & ~Permission.ViewChannels,
  })
  assert.deepEqual(await listed(eve), [])
  await ada.client.overwrites.upsert(space.id, shown.id, {
    target_id: eve.id,
    target_type: OverwriteTarget.Member,
    allow_flags: Permission.ViewChannels,
    deny_flags: 0,
  })
  assert.deepEqual(await listed(eve), [inShown])
})

test('INBOX-9: rooms without overwrites are neither checked one by one nor named to the database', async () => {
  const eve = await newPerson()
  const space = await makeSpace(ada, [eve])
  /** Counts the bytes of all query parameters. */
  const ask = async () => {
    let bytes = 0
    const { searchReader } = server.deps
    const run: typeof searchReader.run = (deadline, work) =>
      searchReader.run(deadline, (database) =>
        work({
          query: (asked) => {
            bytes += Buffer.byteLength(JSON.stringify(asked.values))
            return database.query(asked)
          },
        }),
      )
    const { messages } = await listMentions({ ...server.deps, searchReader: { run } }, eve.id, {})
    return { bytes, messages: messages.length }
  }
  const few = await ask()
  const rooms: string[] = []
  for (let count = 0; count < 50; count += 1)
    rooms.push((await ada.client.rooms.create(space.id, { name: 'room', type: RoomType.Text })).id)
  await say(ada, rooms.at(-1) ?? '', `<@${eve.id}>`)
  assert.deepEqual(await ask(), { ...few, messages: 1 })
  await ada.client.overwrites.upsert(space.id, rooms[0] ?? '', {
    target_id: eve.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  assert.ok((await ask()).bytes > few.bytes)
})

test('INBOX-9: one list of a user is produced at a time, and other users do not wait for it', async () => {
  const [eve, bob] = [await newPerson(), await newPerson()]
  await makeSpace(ada, [eve, bob])
  const lock = await holdLock(server, sql`lock table mentions in access exclusive mode`)
  const hers = Array.from({ length: 3 }, () => eve.client.mentions.list())
  await lock.waitForBlocked(1)
  const his = bob.client.mentions.list()
  await lock.waitForBlocked(2)
  const [waiting] = await server.deps.database.execute<{ count: number }>(sql`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await lock.release()
  for (const { messages } of await Promise.all([...hers, his])) assert.deepEqual(messages, [])
  assert.equal(waiting?.count, 2)
})
