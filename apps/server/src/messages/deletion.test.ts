import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

async function headOf({ id, general }: TestSpace): Promise<[number, string | null]> {
  const room = (await ada.client.rooms.list(id)).find((room) => room.id === general)
  return [room?.last_seq ?? -1, room?.last_message_id ?? null]
}

/** Makes a space with three messages. Returns their ids, oldest first. */
async function say(): Promise<[TestSpace, string, string, string]> {
  const space = await makeSpace(ada)
  const say = async (content: string) => (await ada.client.messages.create(space.general, { content })).id
  return [space, await say('1'), await say('2'), await say('3')]
}

test('MESSAGE-9: the room’s last message is the newest that is left; last_seq stays', async () => {
  const [space, first, second, third] = await say()
  assert.deepEqual(await headOf(space), [3, third])
  await ada.client.messages.delete(space.general, second)
  assert.deepEqual(await headOf(space), [3, third])
  await ada.client.messages.delete(space.general, third)
  assert.deepEqual(await headOf(space), [3, first])
  await ada.client.messages.delete(space.general, first)
  assert.deepEqual(await headOf(space), [3, null])
})

test('MESSAGE-9: the third message is the last one after the newest two are deleted at once', async () => {
  const [space, first, second, third] = await say()
  const lock = await holdLock(
    server,
    sql`select from message_heads where channel_id = ${space.general} for update`,
  )
  const newest = ada.client.messages.delete(space.general, third)
  await lock.waitForBlocked(1)
  const next = ada.client.messages.delete(space.general, second)
  await Promise.race([next, lock.waitForBlocked(2)])
  await lock.release()
  await Promise.all([newest, next])
  assert.deepEqual(await headOf(space), [3, first])
})
